import { expect } from 'chai'

import type { DataSource, TableName } from '../../pipelines/index.ts'
import { choosePlacement } from '../../src/stack/citus/placement.ts'
import { readTable } from '../../src/stack/look.ts'
import { POSTGRES_ENGINE, type TableEngine } from '../../src/stack/table/table-engine.ts'
import { createLogger } from '../../src/observability/logger.ts'
import { useDatabase } from '../support/database.ts'
import { createFactories } from '../support/factories.ts'

const LIMIT = 1000

describe('where the rows of a load go', () => {
  const database = useDatabase()
  const build = createFactories(() => database.pool)

  it('is decided by the size of what is sent, or else of the table, unless the table cannot be moved', async () => {
    const { pool } = database
    const enterprise = await build.enterprise()
    const schema = `enterprise_${enterprise.id}`
    const { rows } = await pool.query<{ id: number }>(
      `insert into generated_tables (enterprise_id, name, current_load_id) values ($1, 'answers', 1)
       returning id`,
      [enterprise.id],
    )
    const { id } = rows[0]!
    await pool.query(`create schema ${schema}; create table ${schema}.answers (_row bigint)`)
    await pool.query(
      `insert into load_tables (enterprise_id, table_id, name, is_attached)
       values ($1, $2, 'rows_1', true)`,
      [enterprise.id, id],
    )
    const distributed: TableName[] = []
    const tableEngine: TableEngine = {
      ...POSTGRES_ENGINE,
      distributesFromBytes: LIMIT,
      distribute: async (_client, table) => void distributed.push(table),
    }
    const ingest = {
      place: () => ({
        async connect() {
          const client = await pool.connect()
          return { client, release: (isBroken?: boolean) => client.release(isBroken) }
        },
        [Symbol.dispose]: () => undefined,
      }),
    }
    const logger = createLogger({ level: 'silent', pretty: false })
    const place = async (source: DataSource) => {
      distributed.length = 0
      const parts = { pool, ingest, tableEngine, logger }
      const table = await readTable(pool, id)
      const { isDistributed, warnings } = await choosePlacement(
        parts,
        table,
        source,
        new AbortController().signal,
      )
      return [
        isDistributed,
        distributed.map(({ table: name }) => name),
        warnings.map(({ code }) => code),
      ]
    }
    const file = (size?: number): DataSource => ({
      kind: 'bytes',
      ...(size !== undefined && { size }),
      open: () => Promise.reject(new Error('nothing is read')),
    })
    const form: DataSource = {
      kind: 'records',
      columns: [],
      pages() {
        throw new Error('nothing is read')
      },
    }
    const stays = [false, [], []]
    const goes = [true, ['answers'], []]
    const holds = (bytes: number) =>
      pool.query('update load_tables set bytes = $2 where table_id = $1', [id, bytes])

    await holds(LIMIT - 1)
    expect(await place(form)).to.deep.equal(stays)
    expect(await place(file())).to.deep.equal(stays)
    expect(await place(file(LIMIT))).to.deep.equal(goes)
    await holds(LIMIT)
    expect(await place(form)).to.deep.equal(goes)
    expect(await place(file())).to.deep.equal(goes)
    expect(await place(file(LIMIT - 1))).to.deep.equal(stays)

    // Nothing could be attached to it afterwards.
    await pool.query(`alter table ${schema}.answers add constraint positive check (_row > 0)`)
    expect(await place(file(LIMIT))).to.deep.equal([false, [], ['not-distributed']])
  })
})
