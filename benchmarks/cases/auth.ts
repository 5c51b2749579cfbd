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
  type MeasuredContender,
  timesAsFast,
} from '../benchmark.ts'
import { httpLoad } from '../support/http-load.ts'
import { listeningProcess } from '../support/listening-process.ts'
import { benchmarkDatabase } from '../support/benchmark-database.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url)
const BARE = new URL('auth-bare.ts', import.meta.url)
const CONNECTIONS = 64
const SECRET = randomBytes(32).toString('hex')

/** What authentication, authority and the rest of the house cost on top of a query. */
export const authCase: BenchmarkCase = {
  name: 'auth',
  summary: 'GET /auth/me against a bare Koa and pg handler of the same query',
  rows: 50_000,
  async run({ rows, runs, databaseUrl }) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-auth-'))
    try {
      await using database = await benchmarkDatabase(databaseUrl)
      return await compare(database.url, folder, rows, runs)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function compare(
  url: string,
  folder: string,
  requests: number,
  runs: number,
): Promise<BenchmarkResult> {
  await migrate(url)
  const user = await createUser(url)
  const { token } = await createTokens({
    keys: { kind: 'secret', secret: SECRET },
    issuer: null,
    audience: null,
    ttlMs: 3_600_000,
  }).issue(user)
  await using service = await listeningProcess(MAIN, {
    DATA_DIR: folder,
    DATABASE_URL: url,
    AUTH_SECRET: SECRET,
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
  })
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

async function createUser(url: string): Promise<string> {
  const pool = createPool(url, { max: 1 })
  try {
    const { rows } = await pool.query<{ uuid: string }>(
      `insert into users (email, name, role_type, account_type)
       values ('bench@demo.test', 'Bench', 'super-admin', 'enterprise') returning uuid`,
    )
    return rows[0]!.uuid
  } finally {
    await pool.end()
  }
}
