import { expect } from 'chai'

import { CopyOut } from '../../../../src/db/copy-out.ts'
import {
  csvSyntax,
  type LineSyntax,
  ndjsonSyntax,
} from '../../../../src/domain/tables/export/line-syntax.ts'
import { type CellForm, LineWriter } from '../../../../src/domain/tables/export/line-writer.ts'
import { useDatabase } from '../../../support/database.ts'

const TEXTS = ['a', null, '', 'é🎉 "x"\\', 'a,b', 'a;b', '\r\n\t\u0001\u007f', '\\.', ' ']
const LONG = '"é\n'.repeat(5000)
const INSTANTS = [
  '2000-01-01 00:00:00+00',
  '1999-12-31 23:59:59.999999+00',
  '1900-02-28 00:00:00.001+00',
  '2024-02-29 12:34:56.789999+00',
  '2100-03-01 00:00:00+00',
  '0001-01-01 00:00:00+00',
  '9999-12-31 23:59:59.999+00',
  '10000-01-01 00:00:00+00',
]

describe('the lines of an export', () => {
  const database = useDatabase()
  const copied = async (select: string, format: string): Promise<Buffer> => {
    const client = await database.pool.connect()
    try {
      const copy = client.query(new CopyOut(`copy (${select}) to stdout (format ${format})`))
      return Buffer.concat(await copy.toArray())
    } finally {
      client.release()
    }
  }
  const written = (
    sent: Buffer,
    forms: readonly CellForm[],
    syntax: LineSyntax,
    size = sent.length,
  ) => {
    const writer = new LineWriter(forms, syntax)
    const pieces: Buffer[] = []
    for (let at = 0; at < sent.length; at += size) {
      pieces.push(...writer.take(sent.subarray(at, at + size)))
    }
    return Buffer.concat(pieces).toString()
  }
  const texts = (values: readonly (string | null)[]): string => {
    const rows = values.map((text, at) => {
      const literal = text === null ? 'null' : `'${text.replaceAll("'", "''")}'`
      return `(${at}, ${literal}::text)`
    })
    return `select at::text as number, t, t as again from (values ${rows.join(', ')}) v(at, t) order by v.at`
  }

  it('are CSV as PostgreSQL writes it, wherever its bytes are cut', async () => {
    const sent = await copied(texts(TEXTS), 'binary')
    for (const delimiter of [',', ';']) {
      const expected = (await copied(texts(TEXTS), `csv, delimiter '${delimiter}'`)).toString()
      const syntax = csvSyntax(3, delimiter)
      for (let size = 1; size <= sent.length; size++) {
        const lines = written(sent, ['literal', 'text', 'text'], syntax, size)
        expect(lines, `pieces of ${size}`).to.equal(expected)
      }
    }
  })

  it('are JSON of the same texts, wherever its bytes are cut', async () => {
    const values = [...TEXTS, LONG, 'end']
    const sent = await copied(texts(values), 'binary')
    const expected = values.map((text, at) => `${JSON.stringify({ __proto__: null, at, text })}\n`)
    const syntax = ndjsonSyntax(['at', 'text', '"é"'])
    for (const size of [7, 4096, 65_536]) {
      const lines = written(sent, ['literal', 'text', 'text'], syntax, size)
      const both = lines.replaceAll(/,"\\"é\\"":(?:null|"(?:[^"\\]|\\.)*")\}/g, '}')
      expect(both === expected.join(''), `pieces of ${size}`).to.equal(true)
    }
  })

  it('hold days, instants and booleans as the database shows them', async () => {
    const values = INSTANTS.map((instant) => `(timestamptz '${instant}')`).join(', ')
    const from = `from (values ${values}, (null)) v(i)`
    const binary = await copied(
      `select i, (i at time zone 'UTC')::date, i > '2000-01-01' ${from}`,
      'binary',
    )
    const shown = await copied(
      `select to_char(i at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
              to_char((i at time zone 'UTC')::date, 'YYYY-MM-DD'), (i > '2000-01-01')::text ${from}`,
      'csv',
    )
    const forms = ['instant', 'day', 'boolean'] as const
    expect(written(binary, forms, csvSyntax(3, ','))).to.equal(shown.toString())
    expect(written(binary, forms, ndjsonSyntax(['i', 'd', 'b'])).split('\n')[1]).to.equal(
      '{"i":"1999-12-31T23:59:59.999Z","d":"1999-12-31","b":false}',
    )
  })
})
