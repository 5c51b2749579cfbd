import type { Pool } from 'pg'

import { clusterDatabase, type Cluster } from '../../../benchmarks/support/cluster-database.ts'
import { startEmbeddedPostgres } from '../../../src/db/embedded/index.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { createPool } from '../../../src/db/pool.ts'
import type { TcpProxy } from '../../support/tcp-proxy.ts'
import { openClone } from '../../support/database.ts'

export interface WorldDatabase extends AsyncDisposable {
  readonly url: string
  readonly pool: Pool
}

/** A fresh database of the server that all tests share. */
export async function sharedDatabase(): Promise<WorldDatabase> {
  const clone = await openClone()
  return {
    url: clone.url,
    pool: clone.pool(),
    [Symbol.asyncDispose]: () => clone.close(),
  }
}

/** A server of one's own, which may be stopped, or lie on a disk that fills up. */
export async function ownDatabase(folder: string): Promise<WorldDatabase> {
  await using opened = new AsyncDisposableStack()
  const server = opened.adopt(await startEmbeddedPostgres({ folder }), (own) => own.stop())
  await migrate(server.url)
  const pool = opened.adopt(createPool(server.url, { max: 5 }), (open) => open.end())
  const resources = opened.move()
  return { url: server.url, pool, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

/** Over the nodes of a cluster, whose coordinator reaches the first of them by that way. */
export async function databaseThrough(cluster: Cluster, way: TcpProxy): Promise<WorldDatabase> {
  await using opened = new AsyncDisposableStack()
  const [, ...rest] = cluster.nodes
  const reached = [{ name: '127.0.0.1', port: way.port }, ...rest]
  const { url } = opened.use(await clusterDatabase(cluster, reached))
  const pool = opened.adopt(createPool(url, { max: 5 }), (open) => open.end())
  const resources = opened.move()
  return { url, pool, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}
