import { expect } from 'chai'

import { CopiedRowParser, type TextRow } from '../../../src/stack/export/copied-rows.ts'
import { useDatabase } from '../../support/database.ts'
import { to as copyTo } from 'pg-copy-streams'

const ROWS = [
  ['a', null, ''],
  ['é🎉', 'x'.repeat(300), null],
  [null, null, null],
  ['0', '\n', '\\.'],
]

describe('rows that are copied out of the database', () => {
  const database = useDatabase()
  let sent: Buffer
  before(async () => {
    const client = await database.pool.connect()
    try {
      await client.query('create temporary table texts (at serial, a text, b text, c text)')
      for (const row of ROWS) {
        await client.query('insert into texts (a, b, c) values ($1, $2, $3)', row)
      }
      const copy = client.query(
        copyTo('copy (select a, b, c from texts order by at) to stdout (format binary)'),
      )
      sent = Buffer.concat(await copy.toArray())
    } finally {
      client.release()
    }
  })

  it('are whole wherever their bytes are cut', () => {
    for (let size = 1; size <= sent.length; size++) {
      const parser = new CopiedRowParser()
      const rows: TextRow[] = []
      for (let at = 0; at < sent.length; at += size) {
        rows.push(...parser.take(sent.subarray(at, at + size)))
      }
      expect(rows, `pieces of ${size}`).to.deep.equal(ROWS)
    }
  })

  it('come as soon as they are there', () => {
    const parser = new CopiedRowParser()
    const end = sent.indexOf('é') - 4 - 2
    expect(parser.take(sent.subarray(0, end - 1))).to.deep.equal([])
    expect(parser.take(sent.subarray(end - 1, end + 3))).to.deep.equal([ROWS[0]])
  })
})
