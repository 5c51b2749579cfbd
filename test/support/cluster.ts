import { Pool } from 'pg'

import { openTableEngine, type TableEngine } from '../../src/domain/tables/table-engine.ts'
import type { TestServer } from './test-server.ts'

/**
 * `TEST_CITUS_URL`: of a coordinator, for a superuser whom all nodes let in alike. Then every test of
 * the run has a database on that cluster, and every table is distributed, however small it is.
 */
const SETTING = 'TEST_CITUS_URL'

export const clusterUrl = (): string | undefined => process.env[SETTING]

/** As if it had been set. */
export function useCluster(url: string): void {
  process.env[SETTING] = url
}

const SHARDS = 4

/** For the application, by their environment names. */
export const clusterSettings = (): Readonly<Record<string, string>> =>
  clusterUrl() === undefined
    ? {}
    : { TABLE_ENGINE: 'citus', CITUS_FROM_SIZE: '1B', CITUS_SHARDS: String(SHARDS) }

export const openTestEngine = (pool: Pool): Promise<TableEngine> =>
  openTableEngine(
    {
      name: clusterUrl() === undefined ? 'postgres' : 'citus',
      distributesFromBytes: 0,
      shards: SHARDS,
    },
    pool,
  )

interface Node {
  readonly name: string
  readonly port: number
}

export async function findCluster(url: string): Promise<TestServer> {
  const workers = (await nodesOf(url)).map(({ name, port }) => {
    const worker = new URL(url)
    worker.hostname = name
    worker.port = String(port)
    return worker.href
  })
  return { url, workers, stop: async () => undefined }
}

/** Makes a new database on each node into one cluster with the nodes of another. */
export async function joinNodes(
  url: string,
  { others, like }: { readonly others: readonly string[]; readonly like: string },
): Promise<void> {
  for (const each of [url, ...others]) await ask(each, 'create extension citus')
  const { hostname, port } = new URL(url)
  await ask(url, 'select citus_set_coordinator_host($1, $2)', [hostname, Number(port)])
  for (const { name, port: at } of await nodesOf(like)) {
    await ask(url, 'select citus_add_node($1, $2)', [name, at])
  }
}

async function nodesOf(url: string): Promise<Node[]> {
  return ask<Node>(
    url,
    `select nodename as name, nodeport as port from pg_dist_node where groupid > 0 order by groupid`,
  )
}

async function ask<R extends object>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<R[]> {
  const pool = new Pool({ connectionString: url, max: 1 })
  try {
    return (await pool.query<R>(text, values)).rows
  } finally {
    await pool.end()
  }
}
