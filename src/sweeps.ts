import type { Pool } from 'pg'

import type { Catalogue, Language } from '../pipelines/index.ts'
import { keepAudit } from './domain/audit/keep-audit.ts'
import { sweepAttempts } from './domain/auth/attempt-counts.ts'
import { sendMails, tellOfDeadlines } from './domain/collections/mails.ts'
import type { Documents } from './domain/documents/create-documents.ts'
import type { IdempotencyStore } from './domain/idempotency.ts'
import { dropStaged, removeOldLoads, sweepStates } from './stack/keep/keep-states.ts'
import { dropUnreferenced } from './stack/keep/forget.ts'
import type { Leases } from './stack/leases.ts'
import { upgradeTables, type UpgradeParts } from './stack/upgrade/upgrade-tables.ts'
import { runDueSchedules } from './domain/schedules/run-due.ts'
import { tellOfFailures } from './domain/schedules/tell-of-failures.ts'
import { changeOwners } from './stack/upgrade/change-owners.ts'
import { dropLeftOnNodes } from './stack/citus/left-on-nodes.ts'
import type { TableEngine } from './stack/table/table-engine.ts'
import type { Patience } from './stack/table/lock-table.ts'
import type { Uploads } from './domain/uploads/uploads.ts'
import type { RunTables } from './domain/workflows/run-tables.ts'
import { removeOldJobs } from './jobs/remove-old-jobs.ts'
import { type JobSweepParts, sweepJobs } from './jobs/sweep-jobs.ts'
import type { Mailer } from './notifications/mailer.ts'
import type { Logger } from './observability/logger.ts'
import { deadAmong, silenceMs } from './processes/presence.ts'
import type { Releases } from './processes/releases.ts'
import type { Sweep } from './processes/sweeper.ts'
import type { ObjectStore } from './storage/object-store.ts'
import type { LocalStore } from './storage/local/open-local-store.ts'

interface SweptParts {
  readonly pool: Pool
  /** Null if the objects are stored elsewhere. */
  readonly localStore: LocalStore | null
  readonly uploads: Uploads
  readonly documents: Documents
  readonly tableEngine: TableEngine
  readonly leases: Leases
  readonly patience: Patience
  readonly stagedLoadsTtlMs: number
  readonly loadsKept: number
  readonly jobsKeptMs: number
  readonly loadRecordsKeptMs: number
  readonly auditKeptMs: number
  readonly store: ObjectStore
  readonly logger: Logger
  readonly runTables: RunTables
  readonly idempotency: IdempotencyStore
  readonly releases: Releases
  readonly mailer: Mailer
  readonly catalogue: Catalogue
  readonly language: Language
  /** Where the service is found from outside. */
  readonly baseUrl: () => string
  readonly jobs: Omit<JobSweepParts, 'lostAfterMs'>
  readonly heartbeatMs: number
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

/** Everything that the service cleans up regularly. */
export function listSweeps(parts: SweptParts): Sweep[] {
  const { pool, localStore, logger, uploads, documents, leases, runTables } = parts
  const { idempotency, releases, jobs, heartbeatMs, stagedLoadsTtlMs, mailer } = parts
  const { catalogue, language } = parts
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
    { name: 'schedules', everyMs: SECOND_MS, by: 'one', run: () => runDueSchedules(jobs) },
    {
      name: 'notices of schedules',
      everyMs: SECOND_MS,
      by: 'one',
      run: () => tellOfFailures({ pool, mailer, logger, catalogue, language }),
    },
    {
      name: 'deadlines of collections',
      everyMs: MINUTE_MS,
      by: 'one',
      run: () => tellOfDeadlines(pool),
    },
    {
      name: 'mails to senders',
      everyMs: SECOND_MS,
      by: 'one',
      run: () => sendMails({ pool, mailer, logger, catalogue, baseUrl: parts.baseUrl }),
    },
    {
      name: 'loads',
      everyMs: 10 * SECOND_MS,
      by: 'one',
      beforeAnswering: true,
      run: () => leases.sweep(),
    },
    {
      name: 'staged loads',
      everyMs: MINUTE_MS,
      by: 'one',
      run: () => dropStaged(pool, stagedLoadsTtlMs),
    },
    {
      name: 'states that are kept no longer',
      everyMs: 10 * SECOND_MS,
      by: 'one',
      run: () => sweepStates(parts),
    },
    upgradeSweep(parts),
    ownersSweep(parts),
    {
      name: 'tables of loads',
      everyMs: 10 * SECOND_MS,
      by: 'one',
      beforeAnswering: true,
      run: () => dropUnreferenced({ pool, logger }),
    },
    ...(parts.tableEngine.name === 'citus' ? [nodesSweep(parts)] : []),
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
    {
      name: 'old jobs',
      everyMs: 10 * MINUTE_MS,
      by: 'one',
      run: async () => void (await removeOldJobs(pool, parts.jobsKeptMs)),
    },
    {
      name: 'old loads',
      everyMs: 10 * MINUTE_MS,
      by: 'one',
      run: async () => void (await removeOldLoads(pool, parts.loadRecordsKeptMs)),
    },
    {
      name: 'old audit entries',
      everyMs: 10 * MINUTE_MS,
      by: 'one',
      run: () => keepAudit(parts, parts.auditKeptMs),
    },
    { name: 'login attempts', everyMs: MINUTE_MS, by: 'one', run: () => sweepAttempts(pool) },
    { name: 'run tables', everyMs: 10 * MINUTE_MS, by: 'one', run: () => runTables.sweep() },
  ]
}

/**
 * The service begins to answer once the small ones are done, and does not wait for the large ones.
 */
function upgradeSweep(parts: UpgradeParts): Sweep {
  let atStart = true
  const told = new Map<number, string>()
  return {
    name: 'tables of earlier versions',
    everyMs: 10 * SECOND_MS,
    by: 'one',
    beforeAnswering: true,
    async run() {
      await upgradeTables(parts, { atStart, told })
      atStart = false
    },
  }
}

/** The service begins to answer once as many have their owner as take this long, and goes on beside its work. */
const OWNERS_AT_START_MS = 10 * SECOND_MS
const OWNERS_AT_ONCE_MS = 2 * SECOND_MS
/** Every new table is given to its owner at once. */
const LOOK_FOR_OWNERS_MS = 10 * MINUTE_MS

function ownersSweep(parts: Pick<SweptParts, 'pool' | 'logger'>): Sweep {
  let atStart = true
  let nextAt = -Infinity
  return {
    name: 'owners of tables',
    everyMs: 10 * SECOND_MS,
    by: 'one',
    beforeAnswering: true,
    async run() {
      if (performance.now() < nextAt) return
      const goesOn = await changeOwners(parts, atStart ? OWNERS_AT_START_MS : OWNERS_AT_ONCE_MS)
      atStart = false
      nextAt = goesOn ? -Infinity : performance.now() + LOOK_FOR_OWNERS_MS
    },
  }
}

const nodesSweep = ({ pool, logger }: Pick<SweptParts, 'pool' | 'logger'>): Sweep => ({
  name: 'tables left on nodes',
  everyMs: MINUTE_MS,
  by: 'one',
  async run() {
    const shards = await dropLeftOnNodes(pool)
    if (shards.length > 0) logger.info({ shards }, 'nodes dropped what they had of former tables')
  },
})
