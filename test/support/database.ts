import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Knex } from 'knex'
import type { Pool } from 'pg'

import { createKnex } from '../../src/db/knex.ts'
import { joinNodes, nodesOf } from '../../benchmarks/support/join-nodes.ts'
import { migrate } from '../../src/db/migrate.ts'
import { createPool } from '../../src/db/pool.ts'
import { eventually } from './patience.ts'
import { startTestServer } from './start-test-server.ts'

/** A migrated database that belongs to one test file. */
export interface TestDatabase {
  readonly url: string
  /** Opened when first used, closed after the last test. */
  readonly pool: Pool
  readonly knex: Knex
}

interface TestRun {
  readonly admin: Pool
  /** Of all nodes. */
  readonly nodes: readonly Pool[]
  readonly template: string
  urlOf(database: string): string
}

// One server for the whole run, started by the first file that needs it and stopped by the root
// hooks: mocha offers no other place that every file shares. Files that run side by side do so in
// lanes, each with a server that was started for it.
let run: Promise<TestRun & Partial<AsyncDisposable>> | undefined
const theRun = () => (run ??= Promise.resolve(joinLane() ?? startRun()))

/** Call it inside a `describe`: its tests share a database that is a fresh copy of the template. */
export function useDatabase(): TestDatabase {
  let opened: OpenDatabase | undefined
  const current = (): OpenDatabase => {
    if (opened === undefined) throw new Error('The test database exists only while tests run')
    return opened
  }
  before('clones a database', async () => {
    opened = await openClone()
  })
  after('finds every connection closed', async () => {
    const closing = opened
    opened = undefined
    await closing?.close()
  })
  return {
    get url() {
      return current().url
    },
    get pool() {
      return current().pool()
    },
    get knex() {
      return current().knex()
    },
  }
}

/** The URL of a new empty database, and its removal; for tests of migrations themselves. */
export async function createEmptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const { nodes, urlOf } = await theRun()
  const name = `empty_${randomName()}`
  await onAll(nodes, `create database ${name} template template0`)
  return {
    url: urlOf(name),
    drop: async () => {
      await dropOnAll(nodes, name)
    },
  }
}

/** For the root hooks; null before the first file that needs it. */
export const startedServer = async (): Promise<Pool | null> => (await run)?.admin ?? null

/** For the root hooks. */
export async function stopTestServer(): Promise<void> {
  const stopping = run
  run = undefined
  await (await stopping)?.[Symbol.asyncDispose]?.()
}

/** For the root hooks: a server for each lane, which its process finds by the number that mocha gives it. */
export async function openLanes(lanes: number): Promise<AsyncDisposable> {
  const opened = new AsyncDisposableStack()
  const runs = await Promise.all(
    Array.from({ length: lanes }, async () => opened.use(await startRun())),
  )
  process.env[LANES] = JSON.stringify(
    runs.map(({ url, workers, template }) => ({ url, workers, template })),
  )
  return opened
}

const LANES = 'TEST_LANES'

interface Lane {
  readonly url: string
  readonly workers: readonly string[]
  readonly template: string
}

function joinLane(): TestRun | null {
  const { [LANES]: lanes, MOCHA_WORKER_ID: worker } = process.env
  if (lanes === undefined || worker === undefined) return null
  const opened = JSON.parse(lanes) as Lane[]
  // One that crashed is followed by another with a new number.
  return runOn(opened[Number(worker) % opened.length]!)
}

function runOn({ url, workers, template }: Lane): TestRun {
  const nodes = [url, ...workers].map((node) => createPool(node, { max: 2 }))
  return { admin: nodes[0]!, nodes, template, urlOf: (database) => inDatabase(url, database) }
}

async function startRun(): Promise<TestRun & Lane & AsyncDisposable> {
  const server = await startTestServer()
  try {
    const { url, workers = [] } = server
    const lane = { url, workers, template: `template_${randomName()}` }
    const opened = runOn(lane)
    const { nodes, urlOf } = opened
    await onAll(nodes, `create database ${lane.template} template template0`)
    if (workers.length > 0) {
      const others = workers.map((worker) => inDatabase(worker, lane.template))
      await joinNodes(urlOf(lane.template), { others, nodes: await nodesOf(url) })
    }
    await migrate(urlOf(lane.template))
    if (workers.length > 0) await closeToOthers(nodes, lane.template)
    return {
      ...opened,
      ...lane,
      async [Symbol.asyncDispose]() {
        await dropOnAll(nodes, lane.template)
        await Promise.all(nodes.map((node) => node.end()))
        await server.stop()
      },
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

const onAll = async (nodes: readonly Pool[], statement: string): Promise<void> => {
  await Promise.all(nodes.map((node) => node.query(statement)))
}

/** A cluster looks after each of its databases by itself, and may begin to at this very moment. */
const dropOnAll = (nodes: readonly Pool[], database: string): Promise<void> =>
  eventually(() => onAll(nodes, `drop database if exists ${database} with (force)`))

function inDatabase(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

/** Citus's own connections keep a database from being copied. */
async function closeToOthers(nodes: readonly Pool[], database: string): Promise<void> {
  await onAll(nodes, `alter database ${database} allow_connections false`)
  await onAll(
    nodes,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${database}'`,
  )
}

/** A clone without mocha's hooks; its `close` rejects when somebody left something open. */
export interface OpenDatabase {
  readonly url: string
  pool(): Pool
  knex(): Knex
  close(graceMs?: number): Promise<void>
}

/** What a closed connection leaves visible for a moment is no leak. */
const GRACE_MS = 30_000
const POLL_MS = 15

export async function openClone(): Promise<OpenDatabase> {
  const { admin, nodes, template, urlOf } = await theRun()
  const name = `test_${randomName()}`
  // By way of the log it costs twice as much, and a checkpoint when the copy goes.
  await onAll(nodes, `create database ${name} template ${template} strategy file_copy`)
  const url = urlOf(name)
  let pool: Pool | undefined
  let knex: Knex | undefined
  return {
    url,
    pool: () => (pool ??= createPool(url, { max: 10 })),
    knex: () => (knex ??= createKnex(url, { max: 10 })),
    async close(graceMs = GRACE_MS) {
      const deadline = performance.now() + graceMs
      try {
        await untilNone(deadline, 'in a transaction', () =>
          connections(admin, name, "and state like 'idle in transaction%'"),
        )
        // A pool does not end before everything that was taken from it came back.
        await untilNone(deadline, 'taken from the pool', async () => takenFrom(pool))
        await Promise.all([pool?.end(), knex?.destroy()])
        await untilNone(deadline, 'open', () => connections(admin, name))
      } finally {
        await dropOnAll(nodes, name)
      }
    },
  }
}

async function untilNone(
  deadline: number,
  state: string,
  find: () => Promise<readonly string[]>,
): Promise<void> {
  for (;;) {
    const left = await find()
    if (left.length === 0) return
    if (performance.now() > deadline) {
      throw new Error(`These tests left ${left.length} connection(s) ${state}:\n${left.join('\n')}`)
    }
    await sleep(POLL_MS)
  }
}

async function connections(admin: Pool, database: string, condition = ''): Promise<string[]> {
  const { rows } = await admin.query<{ text: string }>(
    `select concat(state, ': ', left(query, 200)) as text from pg_stat_activity
     where datname = $1 and backend_type = 'client backend'
       -- Of one node to another.
       and application_name not like 'citus_internal%' ${condition}`,
    [database],
  )
  return rows.map((row) => row.text)
}

function takenFrom(pool: Pool | undefined): string[] {
  const taken = pool === undefined ? 0 : pool.totalCount - pool.idleCount
  return Array.from({ length: taken }, () => 'a client that was not released')
}

function randomName(): string {
  return randomUUID().replaceAll('-', '').slice(0, 16)
}
