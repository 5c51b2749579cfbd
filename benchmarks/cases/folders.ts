import { migrate } from '../../src/db/migrate.ts'
import { createPool } from '../../src/db/pool.ts'
import {
  type BenchmarkCase,
  type BenchmarkResult,
  type Figure,
  type MeasuredContender,
  timesAsFast,
} from '../benchmark.ts'
import { type FolderWorld, makeFolderWorld } from '../generators/folder-world.ts'
import { benchmarkDatabase } from '../support/benchmark-database.ts'
import { type HttpLoad, httpLoad } from '../support/http-load.ts'
import { inFolder } from '../support/in-folder.ts'
import { listeningProcess } from '../support/listening-process.ts'
import { serviceProcess } from '../support/service-process.ts'

const BARE = new URL('folders-bare.ts', import.meta.url)
const CONNECTIONS = 64
const ROUND = { connections: CONNECTIONS, requests: 6_000 }
/** Until V8 has compiled what is asked often: of the service that is more than of the bare handler. */
const WARM_UP = { ...ROUND, requests: 4_000 }

/** What a click in the tree costs where there are many trees. `rows` counts folders. */
export const foldersCase: BenchmarkCase = {
  name: 'folders',
  summary: 'list, search, children and breadcrumb against a bare Koa and pg handler',
  rows: 100_000,
  run: ({ rows, runs, databaseUrl }) =>
    inFolder(async (folder) => {
      await using database = await benchmarkDatabase(databaseUrl)
      await migrate(database.url)
      const world = await makeWorld(database.url, rows)
      return await compare(database.url, folder, world, runs)
    }),
}

async function makeWorld(url: string, folders: number) {
  const pool = createPool(url, { max: 1 })
  try {
    return await makeFolderWorld(pool, folders)
  } finally {
    await pool.end()
  }
}

async function compare(
  url: string,
  folder: string,
  world: FolderWorld,
  runs: number,
): Promise<BenchmarkResult> {
  await using service = await serviceProcess(url, folder)
  const token = await service.tokenOf(world.user)
  await using bare = await listeningProcess(BARE, {
    BENCH_DATABASE_URL: url,
    BENCH_USER: world.user,
  })
  const questions = {
    list: '/folders',
    search: '/folders?search=dossier%20ab1',
    'search, all folders': '/folders?parent=all&search=c0ffe',
    children: `/folders/${world.middle}/children`,
    breadcrumb: `/folders/${world.deep}/breadcrumb`,
  }

  const contenders: MeasuredContender[] = []
  const figures: Figure[] = []
  for (const [name, path] of Object.entries(questions)) {
    const ours: HttpLoad[] = []
    const theirs: HttpLoad[] = []
    await httpLoad(service.address + path, token, WARM_UP)
    await httpLoad(bare.address + path, token, WARM_UP)
    for (let run = 0; run < runs; run++) {
      ours.push(await httpLoad(service.address + path, token, ROUND))
      theirs.push(await httpLoad(bare.address + path, token, ROUND))
    }
    const measured = contender(name, ours, true)
    const reference = contender(`${name}, bare`, theirs, false)
    contenders.push(measured, reference)
    figures.push(
      {
        what: `${name}: of the requests per second of the bare handler`,
        found: timesAsFast(measured, reference),
        atLeast: 0.8,
      },
      {
        what: `${name}: ms at the 99th percentile`,
        found: Math.min(...ours.map(({ p99Ms }) => p99Ms)),
        atMost: 100,
      },
    )
  }
  return {
    input:
      `${world.folders.toLocaleString('en')} folders, ` +
      `${world.documents.toLocaleString('en')} documents, ${CONNECTIONS} connections`,
    rows: null,
    bytes: null,
    contenders,
    figures,
    caveats: [
      'The bare handler runs the same statements, that of authentication too, and nothing else; it has as many connections to the database as the service.',
      'The load generator shares the cores with the server and with PostgreSQL.',
      'The 99th percentile is that of the best run.',
      'A search costs what its words match: one for a word that all folders share reads them all.',
    ],
  }
}

const contender = (
  name: string,
  loads: readonly HttpLoad[],
  isOurs: boolean,
): MeasuredContender => ({
  name,
  unit: 'requests/s',
  samples: loads.map(({ perSecond }) => perSecond),
  peakRssBytes: null,
  isOurs,
})
