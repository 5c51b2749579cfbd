import { migrate } from '../../src/db/migrate.ts'
import {
  type BenchmarkCase,
  type BenchmarkResult,
  type MeasuredContender,
  timesAsFast,
} from '../benchmark.ts'
import { benchmarkDatabase } from '../support/benchmark-database.ts'
import { httpLoad } from '../support/http-load.ts'
import { inFolder } from '../support/in-folder.ts'
import { listeningProcess } from '../support/listening-process.ts'
import { serviceProcess } from '../support/service-process.ts'
import { createAdmin } from '../support/users.ts'

const BARE = new URL('auth-bare.ts', import.meta.url)
const CONNECTIONS = 64

/** What authentication, authority and the rest of the house cost on top of a query. */
export const authCase: BenchmarkCase = {
  name: 'auth',
  summary: 'GET /auth/me against a bare Koa and pg handler of the same query',
  rows: 50_000,
  run: ({ rows, runs, databaseUrl }) =>
    inFolder(async (folder) => {
      await using database = await benchmarkDatabase(databaseUrl)
      return await compare(database.url, folder, rows, runs)
    }),
}

async function compare(
  url: string,
  folder: string,
  requests: number,
  runs: number,
): Promise<BenchmarkResult> {
  await migrate(url)
  const { uuid: user } = await createAdmin(url)
  await using service = await serviceProcess(url, folder)
  const token = await service.tokenOf(user)
  await using bare = await listeningProcess(BARE, { BENCH_DATABASE_URL: url, BENCH_USER: user })
  const ours: number[] = []
  const theirs: number[] = []
  const load = { connections: CONNECTIONS, requests }
  const me = `${service.address}/auth/me`
  // Both are warm before anything counts, and take turns.
  await httpLoad(me, token, { ...load, requests: requests / 10 })
  await httpLoad(bare.address, token, { ...load, requests: requests / 10 })
  for (let run = 0; run < runs; run++) {
    ours.push((await httpLoad(me, token, load)).perSecond)
    theirs.push((await httpLoad(bare.address, token, load)).perSecond)
  }
  const measured = contender('GET /auth/me', ours, true)
  const reference = contender('bare Koa and pg, the same query', theirs, false)
  return {
    input: `${requests.toLocaleString('en')} requests over ${CONNECTIONS} connections`,
    rows: null,
    bytes: null,
    contenders: [measured, reference],
    figures: [
      {
        what: 'of the requests per second of the bare handler',
        found: timesAsFast(measured, reference),
        atLeast: 0.6,
      },
    ],
    caveats: [
      'The bare handler verifies no token, checks no schema, counts nothing and logs nothing.',
      'The load generator shares the cores with the server and with PostgreSQL.',
    ],
  }
}

const contender = (
  name: string,
  samples: readonly number[],
  isOurs: boolean,
): MeasuredContender => ({ name, unit: 'requests/s', samples, peakRssBytes: null, isOurs })
