import type { Pool } from 'pg'

import { sweepStaging } from '../pipelines/index.ts'
import { sweepLoginAttempts } from './domain/auth/login-limiter.ts'
import type { DirectUploads } from './domain/documents/documents.ts'
import type { IdempotencyStore } from './domain/idempotency.ts'
import type { Leases } from './domain/sources/leases.ts'
import type { Uploads } from './domain/uploads/uploads.ts'
import type { RunTables } from './domain/workflows/run-tables.ts'
import { type JobSweepParts, sweepJobs } from './jobs/sweep-jobs.ts'
import { deadAmong } from './processes/is-dead.ts'
import { silenceMs } from './processes/presence.ts'
import type { Releases } from './processes/releases.ts'
import type { Sweep } from './processes/sweeper.ts'
import type { LocalStore } from './storage/local/open-local-store.ts'

export interface SweptParts {
  readonly pool: Pool
  /** Null where the objects are kept elsewhere. */
  readonly localStore: LocalStore | null
  readonly uploads: Uploads
  readonly documents: DirectUploads
  readonly leases: Leases
  readonly runTables: RunTables
  readonly idempotency: IdempotencyStore
  readonly releases: Releases
  readonly jobs: Omit<JobSweepParts, 'lostAfterMs'>
  readonly heartbeatMs: number
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

/** Everything that the service clears up behind itself. */
export function listSweeps(parts: SweptParts): Sweep[] {
  const {
    pool,
    localStore,
    uploads,
    documents,
    leases,
    runTables,
    idempotency,
    releases,
    jobs,
    heartbeatMs,
  } = parts
  return [
    {
      name: 'what this process could not let go of',
      everyMs: SECOND_MS,
      by: 'each',
      run: () => releases.retry(),
    },
    {
      name: 'jobs',
      everyMs: heartbeatMs,
      by: 'one',
      run: () => sweepJobs({ ...jobs, lostAfterMs: silenceMs(heartbeatMs) }),
    },
    {
      name: 'loads',
      everyMs: 10 * SECOND_MS,
      by: 'each',
      beforeAnswering: true,
      run: () => leases.sweep(),
    },
    {
      name: 'staging tables',
      everyMs: 10 * SECOND_MS,
      by: 'one',
      beforeAnswering: true,
      run: () => sweepStaging(() => connection(pool)),
    },
    {
      name: 'uploads',
      everyMs: 10 * SECOND_MS,
      by: 'one',
      beforeAnswering: true,
      run: () => uploads.sweep(),
    },
    {
      name: 'half-written files',
      everyMs: 10 * SECOND_MS,
      by: 'each',
      beforeAnswering: true,
      run: async () => localStore?.sweepIncoming((processIds) => deadAmong(pool, processIds)),
    },
    {
      name: 'part uploads',
      everyMs: MINUTE_MS,
      by: 'one',
      run: () => documents.sweepDirectUploads(),
    },
    { name: 'idempotency keys', everyMs: MINUTE_MS, by: 'one', run: () => idempotency.sweep() },
    { name: 'login attempts', everyMs: MINUTE_MS, by: 'one', run: () => sweepLoginAttempts(pool) },
    { name: 'run tables', everyMs: 10 * MINUTE_MS, by: 'one', run: () => runTables.sweep() },
  ]
}

async function connection(pool: Pool) {
  const client = await pool.connect()
  return { client, release: (broken?: boolean) => client.release(broken) }
}
