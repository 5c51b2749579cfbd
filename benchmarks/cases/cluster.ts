import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Pool } from 'pg'

import { createPool } from '../../src/db/pool.ts'
import { type BenchmarkCase, type BenchmarkResult, timesAsFast } from '../benchmark.ts'
import { writeMessyCsv } from '../generators/messy-csv.ts'
import { breakableWay } from '../support/breakable-way.ts'
import { type Cluster, clusterDatabase, findCluster } from '../support/cluster-database.ts'
import { inFolder } from '../support/in-folder.ts'
import { inTurns } from '../support/in-turns.ts'
import { time } from '../support/measure.ts'
import { migratedDatabase } from '../support/migrated-database.ts'
import { type BenchedService, benchedService } from '../support/service-client.ts'

const SMALL_ROWS = 1000
/** Each is over in an instant, and what else the machine does weighs the more. */
const SMALL_AT_ONCE = 5
const AWAY_MS = 10_000
const QUEUED = 8
const QUEUED_ROWS = 20_000
const POLL_MS = 100
/** Below the large file, above the small one. */
const ON_CLUSTER = { TABLE_ENGINE: 'citus', CITUS_FROM_SIZE: '1MB' }

/** What a cluster costs a load, large or small, and how soon what waited for a node is done. */
export const clusterCase: BenchmarkCase = {
  name: 'cluster',
  summary: 'loads over the nodes of a Citus cluster, beside its coordinator alone (--database-url)',
  rows: 1_000_000,
  needsCluster: true,
  run: ({ rows, runs, databaseUrl }) =>
    inFolder(async (folder) => {
      const cluster = await findCluster(databaseUrl)
      const files = await writeFiles(folder, rows)
      const loads = await loading(cluster, { folder, files, rows, runs })
      const backMs = await nodeBack(cluster, { folder, path: files.queued })
      return report(loads, { rows, backMs })
    }),
}

interface Files {
  readonly large: string
  readonly small: string
  readonly queued: string
}

async function writeFiles(folder: string, rows: number): Promise<Files> {
  const write = async (name: string, count: number) => {
    const messy = join(folder, `${name}.csv`)
    await writeMessyCsv(count, { messy, clean: join(folder, `${name}-clean.csv`) })
    return messy
  }
  return {
    large: await write('large', rows),
    small: await write('small', SMALL_ROWS),
    queued: await write('queued', QUEUED_ROWS),
  }
}

interface Loading {
  readonly folder: string
  readonly files: Files
  readonly rows: number
  readonly runs: number
}

async function loading(cluster: Cluster, { folder, files, rows, runs }: Loading) {
  await using opened = new AsyncDisposableStack()
  const open = async (url: string, name: string, settings = {}) => ({
    pool: opened.adopt(createPool(url, { max: 1 }), (pool) => pool.end()),
    service: opened.use(await benchedService(url, join(folder, name), settings)),
  })
  const plain = await open(opened.use(await migratedDatabase(cluster.url)).url, 'plain')
  const spread = await open(opened.use(await clusterDatabase(cluster)).url, 'nodes', ON_CLUSTER)
  const pools = [plain.pool, spread.pool]
  // What a service does behind a load would be measured with the next one, its own or the other's.
  const prepare = async () => void (await Promise.all(pools.map(untilCaredFor)))
  const reload = async ({ service }: { readonly service: BenchedService }) => {
    const source = await service.createSource(files.large, 'large')
    return { prepare, run: () => time(() => service.reload(source, files.large)) }
  }
  let tables = 0
  const create = async ({ service }: { readonly service: BenchedService }) => {
    const createNext = () => service.createSource(files.small, `small_${++tables}`)
    // The first of each would be the slower one, whichever it is.
    await createNext()
    return {
      prepare,
      run: () =>
        time(async () => {
          for (let nth = 0; nth < SMALL_AT_ONCE; nth++) await createNext()
        }),
    }
  }
  const load = `load of ${rows.toLocaleString('en')} rows`
  const creation = `${SMALL_AT_ONCE} creations of ${SMALL_ROWS.toLocaleString('en')} rows`
  const measured = await inTurns(
    {
      plainLoad: { name: `${load}, one server`, ...(await reload(plain)) },
      load: { name: `${load}, over the nodes`, isOurs: true, ...(await reload(spread)) },
      plainCreation: { name: `${creation}, one server`, ...(await create(plain)) },
      creation: {
        name: `${creation}, with the nodes beside`,
        isOurs: true,
        ...(await create(spread)),
      },
    },
    runs,
  )
  await requirePlaces(spread.pool)
  return measured
}

/** Statistics, vacuum, and what is dropped after them. */
async function untilCaredFor(pool: Pool): Promise<void> {
  const isDue = async () => {
    const { rows } = await pool.query<{ due: boolean }>(
      `select exists (select from load_tables where is_attached and needs_care) or exists (
         select from pg_stat_activity
         where datname = current_database() and backend_type = 'client backend'
           and state <> 'idle' and pid <> pg_backend_pid()) as due`,
    )
    return rows[0]!.due
  }
  while (await isDue()) await sleep(POLL_MS)
}

/** A cluster whose large tables lay on one server after all would be measured against itself. */
async function requirePlaces(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ table: string; distributed: boolean }>(
    `select t.name as table, l.distributed
     from generated_tables t join loads l on l.id = t.current_load_id`,
  )
  const wrong = rows.find(({ table, distributed }) => distributed !== (table === 'large'))
  if (wrong !== undefined) throw new Error(`${wrong.table} does not lie where it should`)
}

/** How long after a worker was away for a while all that was queued meanwhile is done. */
async function nodeBack(
  cluster: Cluster,
  { folder, path }: { readonly folder: string; readonly path: string },
): Promise<number> {
  const [first, ...rest] = cluster.nodes
  await using way = await breakableWay({ host: first.name, port: first.port })
  const reached = [{ name: '127.0.0.1', port: way.port }, ...rest]
  await using database = await clusterDatabase(cluster, reached)
  await using service = await benchedService(database.url, join(folder, 'away'), ON_CLUSTER)
  const sources: string[] = []
  for (let nth = 1; nth <= QUEUED; nth++) {
    sources.push(await service.createSource(path, `queued_${nth}`))
  }
  way.break()
  const began = performance.now()
  const jobs: string[] = []
  for (const source of sources) jobs.push(await service.reloadLater(source, path))
  await sleep(AWAY_MS - (performance.now() - began))
  way.mend()
  const { ms } = await time(async () => {
    for (const job of jobs) await untilDone(service, job)
  })
  return ms
}

async function untilDone(service: BenchedService, job: string): Promise<void> {
  for (;;) {
    const { status } = (await (await service.fetch(job)).json()) as { status: string }
    if (status === 'SUCCEEDED') return
    if (status !== 'QUEUED' && status !== 'RUNNING') throw new Error(`A job has ${status}`)
    await sleep(POLL_MS)
  }
}

function report(
  loads: Awaited<ReturnType<typeof loading>>,
  { rows, backMs }: { readonly rows: number; readonly backMs: number },
): BenchmarkResult {
  return {
    input: `tables of ${rows.toLocaleString('en')} and of ${SMALL_ROWS.toLocaleString('en')} messy rows`,
    rows: null,
    bytes: null,
    contenders: Object.values(loads),
    figures: [
      {
        what: `times the load of ${rows.toLocaleString('en')} rows into one server`,
        found: timesAsFast(loads.plainLoad, loads.load),
        atMost: 2,
      },
      {
        what: `times the creation of ${SMALL_ROWS.toLocaleString('en')} rows without a cluster`,
        found: timesAsFast(loads.plainCreation, loads.creation),
        atMost: 1.5,
      },
      {
        what: `s until ${QUEUED} queued loads are done, once a node is back that was away for ${AWAY_MS / 1000} s`,
        found: backMs / 1000,
        atMost: 30,
      },
    ],
    caveats: [
      'The one server is the coordinator itself, with another database: both services, all nodes and the client share the cores.',
      'The large table is distributed, in as many parts as the cluster says; the small ones stay on the coordinator.',
      'The node is away because every way to it is cut, and new ones are reset.',
    ],
  }
}
