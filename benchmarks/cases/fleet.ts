import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Pool } from 'pg'

import type { BenchmarkCase, BenchmarkResult, Figure, MeasuredContender } from '../benchmark.ts'
import { inFolder } from '../support/in-folder.ts'
import { migratedDatabase } from '../support/migrated-database.ts'
import { postForm } from '../support/post-form.ts'
import {
  newKeys,
  type ServiceKeys,
  type ServiceProcess,
  serviceProcess,
} from '../support/service-process.ts'

const FEW_PROCESSES = 2
const MANY_PROCESSES = 8
const PROCESSES_BESIDE = `${MANY_PROCESSES} processes beside ${FEW_PROCESSES}`
/** Of what anything costs, where there are four times the processes, or ten times the tenants. */
const MOST_GROWTH = 1.5
/** Of any number of tenants so many are asked: what grows, grows with those that are only there. */
const ASKED_TENANTS = 10
/** So many that what they cost stands out from what processes do by themselves meanwhile. */
const REQUESTS = 3000
const LOADS = 150
const IDLE_MS = 30_000
/** A session that has nothing to do tells what it did within ten seconds. */
const COUNTED_AFTER_MS = 11_000
/** Several services at once on one server with the usual limit of connections. */
const CONNECTIONS_A_PROCESS = 8
const SMALL_TABLE = `id;customer;amount\n${Array.from({ length: 50 }, (_, at) => `${at};customer ${at};${at},25\n`).join('')}`

/** What a request, a load and an idle process cost the database, with few and many processes and tenants. */
export const fleetCase: BenchmarkCase = {
  name: 'fleet',
  summary: 'what requests, loads and idle processes ask of the database, by processes and tenants',
  rows: 1000,
  run: ({ rows, databaseUrl }) =>
    inFolder(async (folder) => {
      await using database = await migratedDatabase(databaseUrl)
      const { url, pool } = database
      const stand: Stand = { url, pool, folder, keys: newKeys(), tenants: [] }
      const found = new Map<string, Costs>()
      const sizes = new Set([ASKED_TENANTS, tenthOf(rows), rows])
      for (const tenants of sizes) {
        await addTenants(stand, tenants)
        for (const processes of [FEW_PROCESSES, MANY_PROCESSES]) {
          found.set(nameOf(processes, tenants), await measure(stand, processes, tenants))
        }
      }
      return report(found, [...sizes])
    }),
}

/** Where PostgreSQL asks its indexes: of ten tenants it reads whole tables, of a block each. */
const tenthOf = (tenants: number): number => Math.max(ASKED_TENANTS, Math.ceil(tenants / 10))

const told = (count: number): string => count.toLocaleString('en')

const nameOf = (processes: number, tenants: number): string =>
  `${processes} processes, ${told(tenants)} tenants`

interface Tenant {
  readonly user: string
  readonly source: string
}

interface Stand {
  readonly url: string
  readonly pool: Pool
  readonly folder: string
  readonly keys: ServiceKeys
  readonly tenants: Tenant[]
}

/** Of the whole database, since it was made. */
interface Counted {
  readonly seconds: number
  readonly transactions: number
  readonly blocks: number
  readonly walBytes: number
}

interface Costs {
  /**
   * Of one request, one page of a table that the process was never asked for, one load, and one process
   * that nobody asks anything, for a second.
   */
  readonly request: Counted
  readonly firstLook: Counted
  readonly load: Counted
  readonly idle: Counted
  readonly connections: number
  readonly locks: number
}

const startProcess = ({ url, folder, keys }: Stand): Promise<ServiceProcess> =>
  serviceProcess(url, join(folder, 'data'), {
    keys,
    environment: { DATABASE_POOL: String(CONNECTIONS_A_PROCESS) },
  })

/** By a process that has ended before anything is counted: what it looked up is known to nobody then. */
async function addTenants(stand: Stand, tenants: number): Promise<void> {
  await using process = await startProcess(stand)
  while (stand.tenants.length < tenants) stand.tenants.push(await newTenant(stand, process))
  await stand.pool.query('analyze')
}

async function measure(stand: Stand, processes: number, tenants: number): Promise<Costs> {
  await using stack = new AsyncDisposableStack()
  const fleet: ServiceProcess[] = []
  for (let at = 0; at < processes; at++) fleet.push(stack.use(await startProcess(stand)))
  const asked = Array.from(
    { length: ASKED_TENANTS },
    (_, at) => stand.tenants[Math.floor((at * tenants) / ASKED_TENANTS)]!,
  )
  const pageOf = (process: ServiceProcess, { user, source }: Tenant) =>
    get(process, user, `/sources/${source}/data`)
  const reloadBy = (process: ServiceProcess, { user, source }: Tenant) =>
    upload(process, user, `/sources/${source}/reload`, {})
  const everywhere = async (
    of: readonly Tenant[],
    work: (process: ServiceProcess, tenant: Tenant) => Promise<unknown>,
  ) => {
    for (const process of fleet) for (const tenant of of) await work(process, tenant)
  }
  const [known, ...others] = asked as [Tenant, ...Tenant[]]
  await everywhere([known], async (process, tenant) => {
    await reloadBy(process, tenant)
    for (const path of ['/sources', '/jobs']) await get(process, tenant.user, path)
    await pageOf(process, tenant)
  })
  const locks = { most: 0 }
  const during = (work: () => Promise<unknown>) => counting(stand.pool, locks, work)
  const asleep = await during(() => sleep(IDLE_MS))
  const idle = scaled(asleep, 1 / asleep.seconds)
  /** Of all of the work, without what the processes did by themselves meanwhile. */
  const aside = async (work: () => Promise<unknown>) => {
    const all = await during(work)
    return minus(all, scaled(idle, all.seconds))
  }
  const each = async (
    times: number,
    work: (nth: number, process: ServiceProcess, tenant: Tenant) => Promise<unknown>,
  ) => {
    const all = await aside(async () => {
      for (let nth = 0; nth < times; nth++) {
        await work(nth, fleet[nth % processes]!, asked[nth % ASKED_TENANTS]!)
      }
    })
    return scaled(all, 1 / times)
  }
  const looks = others.length * processes
  const firstLook = scaled(await aside(() => everywhere(others, pageOf)), 1 / looks)
  await everywhere(asked, reloadBy)
  await everywhere(asked, pageOf)
  const request = await each(REQUESTS, (nth, process, tenant) =>
    [
      () => get(process, tenant.user, '/sources'),
      () => pageOf(process, tenant),
      () => get(process, tenant.user, '/jobs'),
    ][nth % 3]!(),
  )
  const load = await each(LOADS, (_, process, tenant) => reloadBy(process, tenant))
  const { rows } = await stand.pool.query<{ connections: number }>(
    `select count(*)::integer as connections from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  )
  return {
    request,
    firstLook,
    load,
    idle: scaled(idle, 1 / processes),
    connections: rows[0]!.connections / processes,
    locks: locks.most,
  }
}

async function newTenant({ pool, tenants }: Stand, process: ServiceProcess): Promise<Tenant> {
  const number = tenants.length
  const { rows } = await pool.query<{ uuid: string }>(
    `with enterprise as (
       insert into enterprises (name, account_type) values ('Tenant ' || $1, 'enterprise') returning id)
     insert into users (email, name, role_type, account_type, enterprise_id)
     select 'tenant-' || $1 || '@demo.test', 'Tenant', 'admin', 'enterprise', id from enterprise
     returning uuid`,
    [String(number)],
  )
  const user = rows[0]!.uuid
  const fields = { source: 'file', name: 'Sales', tableName: 'sales' }
  const answer = await upload(process, user, '/sources', fields)
  return { user, source: (JSON.parse(answer) as { uuid: string }).uuid }
}

async function get(process: ServiceProcess, user: string, path: string): Promise<void> {
  const headers = { 'x-app-access-token': await process.tokenOf(user) }
  const answer = await fetch(process.address + path, { headers })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
}

async function upload(
  process: ServiceProcess,
  user: string,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const content = Buffer.from(SMALL_TABLE)
  return postForm(process.address + path, await process.tokenOf(user), fields, {
    name: 'sales.csv',
    sizeBytes: content.length,
    content: [content],
  })
}

/** What the database did meanwhile; how many locks were held at once is looked at now and then. */
async function counting(
  pool: Pool,
  locks: { most: number },
  work: () => Promise<unknown>,
): Promise<Counted> {
  await sleep(COUNTED_AFTER_MS)
  const before = await readCounters(pool)
  const over = new AbortController()
  const watching = (async () => {
    while (!over.signal.aborted) {
      const { rows } = await pool.query<{ held: number }>(
        'select count(*)::integer as held from pg_locks where granted and pid <> pg_backend_pid()',
      )
      locks.most = Math.max(locks.most, rows[0]!.held)
      await sleep(250)
    }
  })()
  try {
    await work()
  } finally {
    over.abort()
    await watching
  }
  await sleep(COUNTED_AFTER_MS)
  return minus(await readCounters(pool), before)
}

async function readCounters(pool: Pool): Promise<Counted> {
  const { rows } = await pool.query<Counted>(
    `select extract(epoch from clock_timestamp())::float8 as seconds,
            (xact_commit + xact_rollback)::float8 as transactions,
            (blks_hit + blks_read)::float8 as blocks,
            pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as "walBytes"
     from pg_stat_database where datname = current_database()`,
  )
  return rows[0]!
}

const scaled = (counted: Counted, by: number): Counted => ({
  seconds: counted.seconds * by,
  transactions: counted.transactions * by,
  blocks: counted.blocks * by,
  walBytes: counted.walBytes * by,
})

const minus = (all: Counted, part: Counted): Counted => ({
  seconds: all.seconds - part.seconds,
  transactions: all.transactions - part.transactions,
  blocks: all.blocks - part.blocks,
  walBytes: all.walBytes - part.walBytes,
})

const FIRST_LOOK = 'a page of a table that the process never read'

type CostKind = 'request' | 'firstLook' | 'load' | 'idle'

function report(found: ReadonlyMap<string, Costs>, sizes: readonly number[]): BenchmarkResult {
  const tenants = sizes.at(-1)!
  const of = (processes: number, size: number) => found.get(nameOf(processes, size))!
  const largest = of(MANY_PROCESSES, tenants)
  const bars = (what: CostKind, about: string): MeasuredContender[] =>
    [...found].map(([name, costs]) => ({
      name: `${about}, ${name}`,
      unit: 'blocks',
      samples: [Math.max(0, costs[what].blocks)],
      peakRssBytes: null,
      isOurs: name === nameOf(MANY_PROCESSES, tenants),
    }))
  const fewer = tenthOf(tenants)
  const growing = [
    { beside: PROCESSES_BESIDE, from: of(FEW_PROCESSES, tenants), atMost: MOST_GROWTH },
    {
      beside: `${told(tenants)} tenants beside ${told(fewer)}`,
      from: of(MANY_PROCESSES, fewer),
      atMost: MOST_GROWTH,
    },
    // Without a bound: a table of one block is read, a larger one looked up in its index.
    { beside: 'largest fleet beside smallest', from: of(FEW_PROCESSES, ASKED_TENANTS) },
  ]
  const growths = (what: CostKind, about: string): Figure[] =>
    growing.map(({ beside, from, ...bound }) => ({
      what: `times the blocks of ${about}, ${beside}`,
      found: largest[what].blocks / from[what].blocks,
      ...bound,
    }))
  const cost = (what: string, value: number): Figure => ({ what, found: value })
  return {
    input: `${FEW_PROCESSES} and ${MANY_PROCESSES} processes, ${sizes.map(told).join(', ')} tenants with a table each`,
    rows: null,
    bytes: null,
    contenders: [
      ...bars('request', 'a request'),
      ...bars('firstLook', FIRST_LOOK),
      ...bars('load', 'a small load'),
      ...bars('idle', 'an idle second of a process'),
    ],
    figures: [
      ...growths('request', 'a request'),
      ...growths('firstLook', FIRST_LOOK),
      ...growths('load', 'a small load'),
      ...growths('idle', 'an idle second of a process'),
      cost('transactions of a request', largest.request.transactions),
      cost('transactions of a small load', largest.load.transactions),
      cost('transactions of an idle second of a process', largest.idle.transactions),
      cost('WAL bytes of a small load', largest.load.walBytes),
      cost('connections of a process', largest.connections),
      cost('locks held at one moment, at most', largest.locks),
    ],
    caveats: [
      'Blocks of 8 KiB that PostgreSQL looked at, in memory or on disk.',
      'What the processes do by themselves is measured first, and taken off from what requests and loads cost: on a busy machine, where those take long, little is left that is certain.',
      `Requests are a third each: the list of sources, a page of rows, the list of jobs, of ten tenants in turns. A load replaces ${SMALL_TABLE.split('\n').length - 2} rows.`,
    ],
  }
}
