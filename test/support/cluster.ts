import type { Pool } from 'pg'

import { nodesOf, urlOn } from '../../benchmarks/support/join-nodes.ts'
import { openTableEngine, type TableEngine } from '../../src/stack/table/table-engine.ts'
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

export async function findCluster(url: string): Promise<TestServer> {
  const workers = (await nodesOf(url)).map((node) => urlOn(url, node))
  return { url, workers, stop: async () => undefined }
}
