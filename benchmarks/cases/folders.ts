import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { migrate } from '../../src/db/migrate.ts'
import { createPool } from '../../src/db/pool.ts'
import { createTokens } from '../../src/security/tokens.ts'
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
import { listeningProcess } from '../support/listening-process.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url)
const BARE = new URL('folders-bare.ts', import.meta.url)
const CONNECTIONS = 64
const ROUND = { connections: CONNECTIONS, requests: 6_000 }
const WARM_UP = { ...ROUND, requests: 600 }
const SECRET = randomBytes(32).toString('hex')

/** What a click in the tree costs where there are many trees. `rows` counts folders. */
export const foldersCase: BenchmarkCase = {
  name: 'folders',
  summary: 'list, search, children and breadcrumb against a bare Koa and pg handler',
  rows: 100_000,
  async run({ rows, runs, databaseUrl }) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-folders-'))
    try {
      await using database = await benchmarkDatabase(databaseUrl)
      await migrate(database.url)
      const world = await makeWorld(database.url, rows)
      return await compare(database.url, folder, world, runs)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
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
  const tokens = createTokens({
    keys: { kind: 'secret', secret: SECRET },
    issuer: null,
    audience: null,
    ttlMs: 3_600_000,
  })
  const { token } = await tokens.issue(world.user)
  await using service = await listeningProcess(MAIN, {
    DATA_DIR: folder,
    DATABASE_URL: url,
    AUTH_SECRET: SECRET,
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
  })
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
      'The bare handler runs the same statements, that of authentication too, and nothing else.',
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
