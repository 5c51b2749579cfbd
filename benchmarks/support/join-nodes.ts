import { Pool } from 'pg'

/** A worker of a cluster, by the address that its coordinator knows. */
export interface ClusterNode {
  readonly name: string
  readonly port: number
}

export async function nodesOf(url: string): Promise<ClusterNode[]> {
  return ask<ClusterNode>(
    url,
    `select nodename as name, nodeport as port from pg_dist_node where groupid > 0 order by groupid`,
  )
}

/** The same user and database on that node. */
export function urlOn(url: string, { name, port }: ClusterNode): string {
  const there = new URL(url)
  there.hostname = name
  there.port = String(port)
  return there.href
}

interface JoinedNodes {
  /** The database on each of the nodes, as this process reaches it. */
  readonly others: readonly string[]
  /** As the coordinator is to reach them. */
  readonly nodes: readonly ClusterNode[]
}

/** Makes a new database that lies on each node into one cluster. */
export async function joinNodes(url: string, { others, nodes }: JoinedNodes): Promise<void> {
  for (const each of [url, ...others]) await ask(each, 'create extension citus')
  const { hostname, port } = new URL(url)
  await ask(url, 'select citus_set_coordinator_host($1, $2)', [hostname, Number(port)])
  for (const { name, port: at } of nodes)
    await ask(url, 'select citus_add_node($1, $2)', [name, at])
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
