import { expect } from 'chai'

import { copyOut } from '../../../src/db/copy-out.ts'
import { type CsvForm, CsvLines } from '../../../src/stack/export/csv.ts'
import { JsonLines } from '../../../src/stack/export/json-lines.ts'
import type { LineMaker } from '../../../src/stack/export/write-lines.ts'
import { useDatabase } from '../../support/database.ts'

const TEXTS = [
  'a',
  null,
  '',
  'é🎉 "x"\\',
  'a,b',
  'a;b',
  '\r\n\t\b\f\v\u0001\u007f',
  '\\.',
  '\\N',
  ' ',
]
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
      const copy = copyOut(client, `copy (${select}) to stdout (format ${format})`)
      return Buffer.concat(await copy.toArray())
    } finally {
      client.release()
    }
  }
  const written = (sent: Buffer, lines: LineMaker, size = sent.length) => {
    const chunks: Buffer[] = []
    for (let at = 0; at < sent.length; at += size) {
      chunks.push(...lines.take(sent.subarray(at, at + size)))
    }
    return Buffer.concat([...chunks, lines.rest()]).toString()
  }
  const texts = (values: readonly (string | null)[]): string => {
    const rows = values.map((text, at) => {
      const literal = text === null ? 'null' : `'${text.replaceAll("'", "''")}'`
      return `(${at}, ${literal}::text)`
    })
    return `select at::text as number, t, t as again from (values ${rows.join(', ')}) v(at, t) order by v.at`
  }

  const INSTANT = `timestamptz '2026-03-03 10:00:00.12+00'`

  it('are CSV as PostgreSQL writes it but for instants and booleans, wherever its bytes are cut', async () => {
    const select = (instant: string, yes: string, no: string) =>
      `select ${instant} as first, number, ${yes} as yes, null::boolean, t, ${instant} as second, again, null::timestamptz, ${no} as no from (${texts(TEXTS)}) v`
    const forms: readonly CsvForm[] = [
      'instant',
      'plain',
      'boolean',
      'boolean',
      'plain',
      'instant',
      'plain',
      'instant',
      'boolean',
    ]
    for (const delimiter of [',', ';']) {
      const format = `csv, delimiter '${delimiter}'`
      const sent = await copied(select(INSTANT, 'true', 'false'), format)
      const told = select(`'2026-03-03T10:00:00.120Z'`, `'true'`, `'false'`)
      const expected = (await copied(told, format)).toString()
      for (let size = 1; size <= sent.length; size++) {
        const lines = new CsvLines(forms, delimiter)
        expect(written(sent, lines, size), `pieces of ${size}`).to.equal(expected)
      }
      const untouched = new CsvLines(Array<CsvForm>(forms.length).fill('plain'), delimiter)
      expect(written(sent, untouched, 7)).to.equal(sent.toString())
    }
  })

  it('are JSON of the same texts, wherever its bytes are cut', async () => {
    const values = [...TEXTS, LONG, 'end']
    const nested = { 'a\n"b\\': ['\t', null] }
    const json = `'${JSON.stringify(nested)}'::jsonb`
    const select = `select number, t, ${INSTANT}, number <> '1', null::date, null::boolean, ${json} from (${texts(values)}) v`
    const sent = await copied(select, 'text')
    const expected = values.map((text, at) =>
      JSON.stringify({
        at,
        text,
        '"é"': '2026-03-03T10:00:00.120Z',
        late: at !== 1,
        none: null,
        unknown: null,
        nested,
      }),
    )
    for (const size of [1, 7, 4096, 65_536]) {
      const lines = new JsonLines([
        { name: 'at', form: 'literal' },
        { name: 'text', form: 'text' },
        { name: '"é"', form: 'instant' },
        { name: 'late', form: 'boolean' },
        { name: 'none', form: 'text' },
        { name: 'unknown', form: 'boolean' },
        { name: 'nested', form: 'literal' },
      ])
      const found = written(sent, lines, size).split('\n')
      expect(found.pop()).to.equal('')
      const same = found.every((line, at) => JSON.stringify(JSON.parse(line)) === expected[at])
      expect(same && found.length === expected.length, `pieces of ${size}`).to.equal(true)
    }
  })

  it('have room for a piece of nothing but booleans', async () => {
    const sent = await copied('select g % 2 = 0 from generate_series(1, 50000) g', 'csv')
    const expected = Array.from({ length: 50_000 }, (_, at) => `${at % 2 === 1}\n`).join('')
    for (const size of [1, 65_536, sent.length]) {
      const found = written(sent, new CsvLines(['boolean'], ','), size)
      expect(found === expected, `pieces of ${size}`).to.equal(true)
    }
  })

  it('hold instants as the database shows them', async () => {
    const values = INSTANTS.map((instant) => `(timestamptz '${instant}')`).join(', ')
    const from = `from (values ${values}, (null)) v(i)`
    const shown = await copied(
      `select to_char(i at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') ${from}`,
      'csv',
    )
    const csv = written(await copied(`select i ${from}`, 'csv'), new CsvLines(['instant'], ','))
    expect(csv).to.equal(shown.toString())
    const lines = new JsonLines([{ name: 'i', form: 'instant' }])
    expect(written(await copied(`select i ${from}`, 'text'), lines).split('\n')[1]).to.equal(
      '{"i":"1999-12-31T23:59:59.999Z"}',
    )
  })

  it('change nothing of an instant that has no day in our reckoning', async () => {
    const select = `select timestamptz 'infinity', timestamptz '0044-03-15 12:00:00+00 BC'`
    const sent = await copied(select, 'csv')
    expect(written(sent, new CsvLines(['instant', 'instant'], ','), 3)).to.equal(sent.toString())
  })
})
