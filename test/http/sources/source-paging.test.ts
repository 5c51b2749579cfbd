import { expect } from 'chai'

import type { Actor } from '../../../src/domain/actor.ts'
import { findStart } from '../../../src/stack/read/pages.ts'
import { BLOCK_ROWS } from '../../../src/stack/table/partitions.ts'
import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { created, createFromFile, reloadWith } from '../../support/sources.ts'

interface Row {
  readonly k: number
  readonly v: string
}

const ROWS = 3 * BLOCK_ROWS + 700
const MOST_AT_ONCE = 1000

const numbered = (count: number, v: string, from = 1): Row[] =>
  Array.from({ length: count }, (_, at) => ({ k: from + at, v }))
const csvOf = (rows: readonly Row[]) => `k,v\n${rows.map(({ k, v }) => `${k},${v}\n`).join('')}`

/** What an upsert leaves: of rows with one key the last, at its place. */
function upserted(before: readonly Row[], sent: readonly Row[]): Row[] {
  const lastAt = new Map(sent.map(({ k }, at) => [k, at]))
  return [
    ...before.filter(({ k }) => !lastAt.has(k)),
    ...sent.filter(({ k }, at) => lastAt.get(k) === at),
  ]
}

describe('pages of a source from which rows are missing', () => {
  const app = useApp()
  let admin: Actor
  let client: TestClient
  let uuid: string
  let rows: Row[]

  const reload = reloadWith(() => client)
  const ok = async (answer: ReturnType<typeof reload>) => {
    const { status, text, body } = await answer
    expect(status, text).to.equal(200)
    return body
  }
  const upsert = async (sent: readonly Row[]) => {
    await ok(reload(uuid, csvOf(sent), { mode: 'upsert', key: 'k' }))
    rows = upserted(rows, sent)
  }
  const page = async (number: number, limit: number, order = 'asc') =>
    (await client.get(`/sources/${uuid}/data?limit=${limit}&page=${number}&order=${order}`)).body

  /** Every row by pages of any size, and the pages around every place where something is missing. */
  async function expectPages(): Promise<void> {
    const pages = Math.ceil(rows.length / MOST_AT_ONCE)
    for (let number = 1; number <= pages; number++) {
      const { items, total } = await page(number, MOST_AT_ONCE)
      expect(total).to.equal(rows.length)
      expect(items).to.deep.equal(rows.slice((number - 1) * MOST_AT_ONCE, number * MOST_AT_ONCE))
    }
    const turned = rows.toReversed()
    for (const number of [1, 7, Math.floor(rows.length / 11), Math.ceil(rows.length / 11)]) {
      const wanted = turned.slice((number - 1) * 11, number * 11)
      expect((await page(number, 11, 'desc')).items).to.deep.equal(wanted)
    }
    expect((await page(rows.length + 1, 1)).items).to.deep.equal([])
  }

  before(async () => {
    admin = await app.build.user()
    client = app.client.as(admin)
    rows = numbered(ROWS, 'first')
    uuid = (await created(createFromFile(client, csvOf(rows)))).uuid
    await ok(client.patch(`/sources/${uuid}`, { keepLoads: 5 }))
  })

  it('are right where single rows, whole blocks or the last rows of a load are missing', async () => {
    await upsert(
      rows.filter(
        ({ k }) => k % 1000 === 7 || (k > BLOCK_ROWS && k <= 2 * BLOCK_ROWS) || k > ROWS - 20,
      ),
    )
    await expectPages()
  })

  it('are right in a load that came with several rows of one key', async () => {
    const again = numbered(BLOCK_ROWS + 300, 'second', ROWS + 1)
    await upsert([...again, ...again.filter(({ k }) => k % 3 === 0)])
    await expectPages()
  })

  it('are right once something was added, and taken out from the middle', async () => {
    const before = rows
    const added = numbered(900, 'third', 100_000)
    await ok(reload(uuid, csvOf(added), { mode: 'append' }))
    const [load] = (await client.get(`/sources/${uuid}/loads?limit=1`)).body.items
    const last = numbered(10, 'last', 200_000)
    await ok(reload(uuid, csvOf(last), { mode: 'append' }))
    rows = [...before, ...added, ...last]
    await expectPages()
    await ok(client.delete(`/sources/${uuid}/loads/${load.uuid}`))
    rows = [...before, ...last]
    await expectPages()
  })

  it('are right once what was replaced is back', async () => {
    const loads = (await client.get(`/sources/${uuid}/loads?limit=100`)).body.items
    await ok(client.post(`/sources/${uuid}/rollback`, { load: loads.at(-1).uuid }))
    rows = numbered(ROWS, 'first')
    await expectPages()
    await ok(client.post(`/sources/${uuid}/rollback`))
  })

  it('are found from a place that is at most one block before them', async () => {
    const { rows: tables } = await app.database.pool.query<{ id: number; row_count: number }>(
      'select t.id, row_count from generated_tables t join sources s on s.table_id = t.id where s.uuid = $1',
      [uuid],
    )
    const [table] = tables
    const connection = await app.database.pool.connect()
    try {
      for (let before = 0; before < table!.row_count; before += 97) {
        const start = await findStart(connection, table!.id, before)
        expect(start!.skip).to.be.within(0, BLOCK_ROWS)
      }
      expect(await findStart(connection, table!.id, table!.row_count)).to.equal(null)
    } finally {
      connection.release()
    }
  })
})
