import { rm } from 'node:fs/promises'

import { expect } from 'chai'
import type { ClientBase, Pool } from 'pg'

import { tellScarceSlots } from '../../../src/domain/tables/check-cluster.ts'
import { openTableEngine } from '../../../src/domain/tables/table-engine.ts'
import { runCli } from '../../support/cli.ts'
import { useDatabase } from '../../support/database.ts'
import { TEST_ENCRYPTION_KEYS } from '../../support/factories.ts'
import { makeOpenFolder } from '../../support/open-folder.ts'
import { startServer } from '../../support/server-process.ts'

describe('the table engine', () => {
  const database = useDatabase()

  const options = { distributesFromBytes: 1000, shards: null }

  it('leaves tables as they are by default', async () => {
    const engine = await openTableEngine({ ...options, name: 'postgres' }, database.pool)
    expect(engine.distributesFromBytes).to.equal(null)
  })

  it('ends the start of the service, of a worker and of a command where the extension is missing', async () => {
    // Where the tests run on a cluster it is there.
    await database.pool.query('drop extension if exists citus cascade')
    const dataDir = await makeOpenFolder('citus-')
    const settings = {
      TABLE_ENGINE: 'citus',
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      AUTH_SECRET: 'x'.repeat(32),
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
      LOG_LEVEL: 'silent',
    }
    try {
      const [service, ...commands] = await Promise.all([
        startServer(settings).catch((error: unknown) => error),
        runCli(['worker'], settings),
        runCli(['cluster', 'distribute'], settings),
      ])
      expect(commands.map(({ code }) => code)).to.deep.equal([2, 2])
      for (const told of [(service as Error).message, ...commands.map(({ stderr }) => stderr)]) {
        expect(told)
          .to.include('TABLE_ENGINE is citus, but')
          .and.include('create extension citus')
          .and.not.match(/^ +at /m)
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  it('distributes a table by its row number, beside another or in as many parts as are set', async () => {
    const asked: unknown[] = []
    const query = async (...given: unknown[]) => {
      asked.push(given)
      return { rows: [{ installed: true }] }
    }
    const pool = { query } as unknown as Pool
    const engine = await openTableEngine({ ...options, shards: 8, name: 'citus' }, pool)
    asked.length = 0
    const table = { schema: 'e"1', table: 'rows_1' }
    const client = { query } as unknown as ClientBase
    await engine.distribute(client, table, null)
    await engine.distribute(client, table, { schema: 'e"1', table: 'towns' })
    expect(asked).to.deep.equal([
      [
        `select create_distributed_table($1::regclass, '_row', shard_count => coalesce($2, current_setting('citus.shard_count')::integer))`,
        ['"e""1"."rows_1"', 8],
      ],
      [
        `select create_distributed_table($1::regclass, '_row', colocate_with => $2)`,
        ['"e""1"."rows_1"', '"e""1"."towns"'],
      ],
    ])
  })

  it('says where connections are scarce, and what to set', () => {
    const wanted = { slots: 97, connections: 20, toEach: 100 }
    expect(tellScarceSlots(wanted, [{ node: 'a:5432', free: 100 }])).to.deep.equal([])
    const [first, second] = tellScarceSlots({ ...wanted, connections: 98 }, [
      { node: 'a:5432', free: 97 },
      { node: 'b:5432', free: 297 },
    ])
    expect(first).to.include('The coordinator takes 97').and.include('DATABASE_POOL')
    expect(second).to.include('a:5432 takes 97').and.include('citus.max_shared_pool_size to 77')
  })
})
