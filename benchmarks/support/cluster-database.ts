import { randomUUID } from 'node:crypto'

import { CliError } from '../../src/cli/cli-error.ts'
import { migrate } from '../../src/db/migrate.ts'
import { createPool } from '../../src/db/pool.ts'
import { type ClusterNode, joinNodes, nodesOf, urlOn } from './join-nodes.ts'
import type { BenchmarkServer } from './server.ts'

/** A coordinator and its workers. */
export interface Cluster {
  readonly url: string
  readonly nodes: readonly [ClusterNode, ...ClusterNode[]]
}

export async function findCluster(url: string | null): Promise<Cluster> {
  if (url === null) throw new CliError('Name the coordinator of a Citus cluster by --database-url')
  const [first, ...rest] = await nodesOf(url).catch((error: unknown) => {
    throw new CliError('--database-url leads to no coordinator of a Citus cluster', {
      cause: error,
    })
  })
  if (first === undefined) throw new CliError('The cluster of --database-url has no workers')
  return { url, nodes: [first, ...rest] }
}

/** A migrated database that lies on all nodes, each reached as `reached` says; dropped at the end. */
export async function clusterDatabase(
  { url, nodes }: Cluster,
  reached: readonly ClusterNode[] = nodes,
): Promise<BenchmarkServer> {
  await using opened = new AsyncDisposableStack()
  const name = `bench_${randomUUID().slice(0, 8)}`
  const servers = [url, ...nodes.map((node) => urlOn(url, node))]
  opened.defer(() => onAll(servers, `drop database if exists ${name} with (force)`))
  await onAll(servers, `create database ${name}`)
  const own = inDatabase(url, name)
  const others = servers.slice(1).map((server) => inDatabase(server, name))
  await joinNodes(own, { others, nodes: reached })
  await migrate(own)
  const resources = opened.move()
  return { url: own, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

async function onAll(servers: readonly string[], statement: string): Promise<void> {
  for (const server of servers) {
    const pool = createPool(server, { max: 1 })
    try {
      await pool.query(statement)
    } finally {
      await pool.end()
    }
  }
}

function inDatabase(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
