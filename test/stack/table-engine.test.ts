import { rm } from 'node:fs/promises'

import { expect } from 'chai'
import { type ClientBase, DatabaseError as PostgresError, type Pool } from 'pg'

import { onceNodesAreThere } from '../../src/start/start-database.ts'
import { translateDatabaseError } from '../../src/db/database-errors.ts'
import { lockUntilUnlocked, LOCKS, unlock } from '../../src/db/locks.ts'
import { checkCluster, tellScarceSlots } from '../../src/stack/citus/check-cluster.ts'
import { ensureSchemas } from '../../src/stack/table/enterprise-schemas.ts'
import { dropLeftOnNodes } from '../../src/stack/citus/left-on-nodes.ts'
import { type ComingRows, whereRowsGo } from '../../src/stack/citus/placement.ts'
import { openTableEngine, TableEngineError } from '../../src/stack/table/table-engine.ts'
import { createPool } from '../../src/db/pool.ts'
import { readConfig } from '../../src/config/config.ts'
import { sentenceFor } from '../../src/start/sentence-for.ts'
import { createServices } from '../../src/services.ts'
import { createLogger } from '../../src/observability/logger.ts'
import { runCli } from '../support/cli.ts'
import { useDatabase } from '../support/database.ts'
import { TEST_ENCRYPTION_KEYS } from '../support/factories.ts'
import { failure } from '../support/failure.ts'
import { makeFolder } from '../support/folder.ts'

describe('the table engine', () => {
  const database = useDatabase()

  const options = { distributesFromBytes: 1000, shards: null }

  it('leaves tables as they are by default', async () => {
    const engine = await openTableEngine({ ...options, name: 'postgres' }, database.pool)
    expect(engine.distributesFromBytes).to.equal(null)
  })

  it('ends the start of the service and of a worker, and a command, where the extension is missing', async () => {
    // Where the tests run on a cluster it is there.
    await database.pool.query('drop extension if exists citus cascade')
    const dataDir = await makeFolder('citus')
    const settings = {
      TABLE_ENGINE: 'citus',
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      AUTH_SECRET: 'x'.repeat(32),
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
      LOG_LEVEL: 'silent',
    }
    const address = { url: database.url, sessionUrl: database.url }
    const logger = createLogger({ level: 'silent', pretty: false })
    try {
      // Both make the services first, and say of what is wrong what a command says of it.
      const [refusal, command] = await Promise.all([
        createServices(readConfig(settings), address, logger).catch((error: unknown) => error),
        runCli(['cluster', 'distribute'], settings),
      ])
      expect(command.code).to.equal(2)
      for (const told of [sentenceFor(refusal), command.stderr]) {
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

  it('makes the schema of an enterprise without the nodes, which get it with its first large table', async () => {
    const pool = createPool(database.url, { max: 1 })
    const asked: string[] = []
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...given: unknown[]) => unknown
      client.query = (...given: unknown[]) => {
        asked.push(String(given[0]))
        return query(...given) as never
      }
    })
    try {
      await ensureSchemas(pool, 8)
      await ensureSchemas(pool, 8)
    } finally {
      await pool.end()
    }
    expect(asked.filter((text) => text.includes('create schema'))).to.deep.equal(
      ['enterprise_8', 'enterprise_8_loads'].map(
        (schema) =>
          `set local citus.enable_ddl_propagation = off; create schema "${schema}"; ` +
          'set local citus.enable_ddl_propagation to default',
      ),
    )
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

  it('refuses a cluster in which no node takes tables, and one that allows nobody to make them', async () => {
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

  it('does not wait for a node that refuses the others, but reports it', async () => {
    const message =
      'connection to the remote node service@b:5432 failed with the following error: fe_sendauth: no password supplied'
    let tries = 0
    const starting = onceNodesAreThere(
      async () => {
        tries++
        const refusal = new PostgresError(message, 0, 'error')
        throw translateDatabaseError(Object.assign(refusal, { code: '08006' }), 'service at a:5432')
      },
      {
        purpose: 'its migrations',
        limitMs: 60_000,
        logger: createLogger({ level: 'silent', pretty: false }),
        signal: new AbortController().signal,
      },
    )
    expect(sentenceFor(await failure(starting)))
      .to.include('do not let each other in')
      .and.include('.pgpass')
    expect(tries).to.equal(1)
  })

  it('says which connections are scarce, and what to set', () => {
    const wanted = { slots: 97, connections: 20, toEach: 100, notShownTo: null }
    expect(tellScarceSlots(wanted, [{ node: 'a:5432', free: 100 }])).to.deep.equal([])
    const [first, second] = tellScarceSlots({ ...wanted, connections: 98 }, [
      { node: 'a:5432', free: 97 },
      { node: 'b:5432', free: 297 },
    ])
    expect(first).to.include('The coordinator takes 97').and.include('DATABASE_POOL')
    expect(second).to.include('a:5432 takes 97').and.include('citus.max_shared_pool_size to 77')
    expect(second).to.not.include('grant')
    const [unseen] = tellScarceSlots({ ...wanted, notShownTo: 'service' }, [
      { node: 'a:5432', free: 97 },
    ])
    expect(unseen)
      .to.include('citus.max_shared_pool_size to 77')
      .and.include('grant pg_read_all_settings to service')
  })

  it('drops only what a node still has of tables that no longer exist', async () => {
    const { pool } = database
    await pool.query(NODE_IN_PLACE)
    const held = async () => {
      const { rows } = await pool.query<{ name: string }>(
        `select schemaname || '.' || tablename as name from pg_tables
         where schemaname ~ '^enterprise_7' order by 1`,
      )
      return rows.map(({ name }) => name)
    }
    const staying = [
      // Distributed and known; the name of one ends as those of shards do.
      'enterprise_7.kept',
      'enterprise_7.kept_101',
      'enterprise_7.plan_205',
      // Moved to this node just now, and given out by another coordinator.
      'enterprise_7.kept_102',
      'enterprise_7.kept_9000',
      // Dropped, but for one that others know as part of it.
      'enterprise_7.half_104',
      'enterprise_7_loads.rows_2_105',
    ]
    const leftOver = [
      'enterprise_7.gone',
      'enterprise_7.gone_106',
      'enterprise_7_loads.rows_1',
      'enterprise_7_loads.rows_1_107',
      'enterprise_7_loads.x_108',
    ]
    const all = [...staying, ...leftOver]
    expect(await held()).to.have.members(all)

    const other = createPool(database.url, { max: 1 })
    try {
      await other.query(lockUntilUnlocked(LOCKS.leftOnNodes))
      expect(await dropLeftOnNodes(pool), 'while another process does it').to.deep.equal([])
      await other.query(unlock(LOCKS.leftOnNodes))
    } finally {
      await other.end()
    }
    expect(await held()).to.have.members(all)

    await dropLeftOnNodes(pool)
    expect(await held()).to.have.members(staying)
  })
})

/** As much of a cluster as lies on one server: a node that is another schema of the same database. */
const NODE_IN_PLACE = `
  create schema node;
  create table public.pg_dist_shard (shardid bigint);
  create table public.pg_dist_cleanup (object_name text);
  create sequence public.pg_dist_shardid_seq start 1000;
  select nextval('pg_dist_shardid_seq');
  create table node.pg_dist_partition (logicalrelid regclass);
  create table node.pg_dist_shard (logicalrelid regclass, shardid bigint);

  create function public.run_command_on_workers(command text)
  returns table (nodename text, nodeport integer, success boolean, result text)
  language plpgsql set search_path = node, pg_catalog as $$
  begin
    if command like '%do $drop$%' then execute command;
    else execute command into result;
    end if;
    return query select 'node', 5432, true, result;
  end $$;

  create function node.worker_drop_distributed_table(name text) returns void
  language plpgsql as $$
  begin
    delete from node.pg_dist_partition where logicalrelid = name::regclass;
    delete from node.pg_dist_shard where logicalrelid = name::regclass;
    execute 'drop table ' || name;
  end $$;

  create schema enterprise_7;
  create schema enterprise_7_loads;
  create table enterprise_7.kept ();
  create table enterprise_7.kept_101 ();
  create table enterprise_7.kept_102 ();
  create table enterprise_7.kept_9000 ();
  create table enterprise_7.plan_205 ();
  create table enterprise_7.half_104 (_row bigint) partition by range (_row);
  create table enterprise_7_loads.rows_2_105
    partition of enterprise_7.half_104 for values from (1) to (2);
  create table enterprise_7.gone (_row bigint) partition by range (_row);
  create table enterprise_7.gone_106 (_row bigint) partition by range (_row);
  create table enterprise_7_loads.rows_1
    partition of enterprise_7.gone for values from (1) to (2);
  create table enterprise_7_loads.rows_1_107
    partition of enterprise_7.gone_106 for values from (1) to (2);
  create table enterprise_7_loads.x_108 ();

  insert into node.pg_dist_shard values
    ('enterprise_7.kept', 101), ('enterprise_7.plan_205', 103),
    ('enterprise_7.gone', 106), ('enterprise_7_loads.rows_1', 107);
  insert into node.pg_dist_partition select logicalrelid from node.pg_dist_shard;
  insert into pg_dist_shard values (101), (103), (105);
  insert into pg_dist_cleanup values ('enterprise_7.kept_102')`
