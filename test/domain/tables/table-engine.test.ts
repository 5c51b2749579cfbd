import { rm } from 'node:fs/promises'

import { expect } from 'chai'
import type { ClientBase, Pool } from 'pg'

import { checkCluster, tellScarceSlots } from '../../../src/domain/tables/check-cluster.ts'
import { type ComingRows, whereRowsGo } from '../../../src/domain/tables/placement.ts'
import { openTableEngine, TableEngineError } from '../../../src/domain/tables/table-engine.ts'
import { createLogger } from '../../../src/observability/logger.ts'
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

  it('sends rows where their table is, and so many at once over the nodes, after their table', () => {
    const limit = 1000
    const cases: [ComingRows['table'], number | undefined, string][] = [
      ['nowhere', undefined, 'to the coordinator'],
      ['nowhere', limit - 1, 'to the coordinator'],
      ['nowhere', limit, 'to the nodes'],
      ['coordinator', undefined, 'to the coordinator'],
      ['coordinator', limit - 1, 'to the coordinator'],
      ['coordinator', limit, 'to the nodes after their table'],
      ['nodes', undefined, 'to the nodes'],
      ['nodes', limit - 1, 'to the nodes'],
      ['nodes', limit, 'to the nodes'],
    ]
    for (const [table, bytes, expected] of cases) {
      expect(whereRowsGo({ table, bytes }, limit), `${table}, ${bytes}`).to.equal(expected)
    }
    expect(whereRowsGo({ table: 'nowhere', bytes: undefined }, 0)).to.equal('to the nodes')
  })

  it('refuses a cluster of which no node takes tables, and one that lets nobody make them', async () => {
    const refusal = async (nodes: readonly object[], fails: (text: string) => boolean) => {
      const query = async (text: string) => {
        if (fails(text)) throw new Error('permission denied for database service')
        return { rows: text.includes('pg_dist_node') ? nodes : [{ name: 'cluster_check_1' }] }
      }
      const connect = async () => ({ query, release: () => undefined })
      const pool = { query, connect } as unknown as Pool
      const logger = createLogger({ level: 'silent', pretty: false })
      return checkCluster({ pool, connections: 1, logger }).catch((error: unknown) => error)
    }
    const told = [
      await refusal([{ name: 'a:5432', holdsTables: false }], () => false),
      await refusal([{ name: 'a:5432', holdsTables: true }], (text) => /create schema/.test(text)),
    ]
    for (const error of told) expect(error).to.be.instanceOf(TableEngineError)
    const [withoutNodes, withoutRights] = told.map((error) => (error as Error).message)
    expect(withoutNodes)
      .to.include('no node of the cluster takes tables')
      .and.include('citus_add_node')
    expect(withoutRights)
      .to.include('permission denied')
      .and.include('Give the user of DATABASE_URL')
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
