import type { ClientBase, Pool } from 'pg'

import {
  NodeUnavailableError,
  StatementCancelledError,
  translateDatabaseError,
} from '../../db/database-errors.ts'
import type { Logger } from '../../observability/logger.ts'
import { TableEngineError } from '../table/table-engine.ts'

/** A frozen node accepts connections but never answers. */
export const NODE_TIMEOUT_MS = 2000
const WRITE_TIMEOUT_MS = 10_000
/** With this many rows for each node, row numbers are spread over every shard. */
const ROWS_FOR_A_NODE = 64
/** Connections on each node that are left for its administrators and for the other nodes. */
const SPARE_SLOTS = 20

interface Node {
  readonly name: string
  readonly holdsTables: boolean
}

interface ClusterCheck {
  readonly pool: Pool
  /** How many connections this process may open to the coordinator. */
  readonly connections: number
  readonly logger: Logger
}

/**
 * Checks what a cluster needs when a process starts. A fault that will not go away by itself ends
 * the start with an explanation; a node that is away does not, since small tables need no nodes.
 */
export async function checkCluster({ pool, connections, logger }: ClusterCheck): Promise<void> {
  const nodes = await readNodes(pool)
  const holders = nodes.filter(({ holdsTables }) => holdsTables)
  if (holders.length === 0) {
    throw new TableEngineError(
      'TABLE_ENGINE is citus, but no node of the cluster takes tables: run ' +
        '“select citus_add_node(host, port)” for each, or set TABLE_ENGINE to postgres',
    )
  }
  try {
    await inPassing(pool, (client) => writeOnEach(client, holders.length))
  } catch (error) {
    if (!isNodeAway(error)) {
      const { message } = error as Error
      throw new TableEngineError(
        `TABLE_ENGINE is citus, but a distributed table cannot be written: ${message}. ` +
          'Give the user of DATABASE_URL the right to create schemas in the database, on every node',
        { cause: error },
      )
    }
    refuseMissingPassword(error)
    logger.warn(
      { err: error },
      `${(await nodesAway(pool)).join(', ') || 'A node'} of the cluster is away: what needs it waits. ` +
        'Start it, or remove it from the cluster (citus_remove_node)',
    )
  }
  for (const sentence of await scarceSlots(pool, connections)) logger.warn(sentence)
}

const isNodeAway = (error: unknown): boolean => {
  const known = translateDatabaseError(error)
  return known instanceof NodeUnavailableError || known instanceof StatementCancelledError
}

/** The words of libpq, on the node that asks or the one that is asked. */
const PASSWORD_REFUSED = /no password supplied|password authentication failed|no pg_hba\.conf entry/

/** Throws if the nodes are up but do not let each other in: waiting would not help. */
export function refuseMissingPassword(error: unknown): void {
  const known = translateDatabaseError(error)
  if (!(known instanceof NodeUnavailableError)) return
  if (!PASSWORD_REFUSED.test((known.cause as Error).message)) return
  throw new TableEngineError(
    'The nodes of the cluster do not let each other in: give each the password of the user of ' +
      'DATABASE_URL for all others, in its .pgpass file or in pg_dist_authinfo',
    { cause: error },
  )
}

async function readNodes(pool: Pool): Promise<Node[]> {
  const { rows } = await pool.query<Node>(
    `select nodename || ':' || nodeport as name, shouldhaveshards as "holdsTables"
     from pg_dist_node where isactive and noderole = 'primary' order by groupid`,
  )
  return rows
}

/** The nodes that the coordinator does not reach, as host and port. */
export async function nodesAway(pool: Pool): Promise<string[]> {
  return inPassing(pool, async (client) => {
    // An open connection says nothing about new ones, and a broken one says nothing about the
    // next.
    await client.query(
      `set local citus.node_connection_timeout = ${NODE_TIMEOUT_MS};
       set local citus.max_cached_conns_per_worker = 0`,
    )
    const { rows } = await client.query<{ name: string }>(
      `select nodename || ':' || nodeport as name from pg_dist_node
       where isactive and noderole = 'primary' and groupid > 0
         and not citus_check_connection_to_node(nodename, nodeport)`,
    )
    return rows.map(({ name }) => name)
  })
}

/** Runs in a transaction that is rolled back, so nothing is left behind. */
async function inPassing<R>(pool: Pool, work: (client: ClientBase) => Promise<R>): Promise<R> {
  const client = await pool.connect()
  let isBroken = true
  try {
    await client.query(`begin; set local statement_timeout = ${WRITE_TIMEOUT_MS}`)
    try {
      return await work(client)
    } finally {
      isBroken = await client.query('rollback').then(
        () => false,
        () => true,
      )
    }
  } finally {
    client.release(isBroken)
  }
}

async function writeOnEach(client: ClientBase, nodes: number): Promise<void> {
  await client.query(`set local citus.node_connection_timeout = ${NODE_TIMEOUT_MS}`)
  const { rows } = await client.query<{ name: string }>(
    `select 'cluster_check_' || pg_backend_pid() as name`,
  )
  const { name } = rows[0]!
  await client.query(`create schema ${name}; create table ${name}.rows (number bigint not null)`)
  await client.query(`select create_distributed_table($1, 'number', shard_count => $2)`, [
    `${name}.rows`,
    nodes,
  ])
  await client.query(`insert into ${name}.rows select generate_series(1, $1::integer)`, [
    nodes * ROWS_FOR_A_NODE,
  ])
}

interface Slots {
  readonly node: string
  readonly free: number
}

interface Asked {
  readonly slots: number
  /** How many connections one session may have to one node. */
  readonly each: number
  /** How many connections the whole coordinator may have to one node. */
  readonly shared: number
  readonly notShownTo: string | null
}

/** A session may need several connections to a node at once, up to what the whole coordinator may open. */
async function scarceSlots(pool: Pool, connections: number): Promise<string[]> {
  const free = `current_setting('max_connections')::integer
    - current_setting('superuser_reserved_connections')::integer`
  const { rows: asked } = await pool.query<Asked>(
    `select ${free} as slots,
            current_setting('citus.max_adaptive_executor_pool_size')::integer as each,
            -- Left alone, it is as many as the coordinator takes.
            coalesce(nullif(shared.size, 0), current_setting('max_connections')::integer) as shared,
            case when shared.size is null then quote_ident(current_user) end as "notShownTo"
     from (select (select setting::integer from pg_settings
                   where name = 'citus.max_shared_pool_size') as size) shared`,
  )
  const { slots, each, shared, notShownTo } = asked[0]!
  const { rows: nodes } = await pool.query<Slots>(
    `select nodename || ':' || nodeport as node, result::integer as free
     from run_command_on_workers($1) where success`,
    [`select ${free}`],
  )
  return tellScarceSlots(
    { slots, connections, toEach: Math.min(connections * each, shared), notShownTo },
    nodes,
  )
}

interface SlotsWanted {
  /** How many connections the coordinator accepts. */
  readonly slots: number
  /** How many connections this process opens to the coordinator. */
  readonly connections: number
  /** How many connections the coordinator may open to each node on behalf of this process. */
  readonly toEach: number
  /**
   * The role that may not read the setting for this limit, so that its default is assumed; null:
   * it was read.
   */
  readonly notShownTo: string | null
}

export function tellScarceSlots(
  { slots, connections, toEach, notShownTo }: SlotsWanted,
  nodes: readonly Slots[],
): string[] {
  const ofCoordinator =
    connections > slots
      ? [
          `The coordinator takes ${slots} connections, and this process opens up to ${connections}: ` +
            'raise max_connections there, or lower DATABASE_POOL',
        ]
      : []
  const scarce = nodes.filter(({ free }) => toEach > free)
  const unlessSet =
    notShownTo === null
      ? ''
      : `. Where it is set already, “grant pg_read_all_settings to ${notShownTo}” lets the start see it`
  return [
    ...ofCoordinator,
    ...scarce.map(
      ({ node, free }) =>
        `The node ${node} takes ${free} connections, and the coordinator may open ${toEach} to it: ` +
        'raise max_connections there, or set citus.max_shared_pool_size to ' +
        `${Math.max(1, free - SPARE_SLOTS)} on the coordinator${unlessSet}`,
    ),
  ]
}
