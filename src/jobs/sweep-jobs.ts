import type { Pool } from 'pg'

import { withTransaction } from '../db/transaction.ts'
import { problemDocument, ServiceUnavailableException } from '../errors/index.ts'
import type { Logger } from '../observability/logger.ts'
import type { JobAccount } from './run-job.ts'
import type { JobRecords } from './job-records.ts'
import type { JobQueue } from './queue.ts'
import { jobMessages } from './job-messages.ts'

export interface JobSweepParts {
  readonly pool: Pool
  readonly records: JobRecords
  readonly queue: JobQueue
  readonly logger: Logger
  readonly account: JobAccount
  /**
   * A job that has been queued for longer than this, but is not in the queue, was lost on its way
   * to a worker.
   */
  readonly lostAfterMs: number
}

/** How many are checked in one sweep; lost ones are among the oldest. */
const LONG_QUEUED = 5

/** Ends or restarts the jobs of dead processes. */
export async function sweepJobs(parts: JobSweepParts): Promise<void> {
  const { pool, records, queue, logger, account, lostAfterMs } = parts
  for (const ended of await records.closeSealed()) {
    account(ended, { ...ended, outcome: { status: 'SUCCEEDED', result: null } })
  }
  await withTransaction(pool, async (client) => {
    for (const uuid of await records.takeBackOrphaned(client)) {
      logger.warn({ job: uuid }, 'its worker is dead: the job is queued again')
      await queue.send(client, uuid)
    }
  })
  const error = problemDocument(died())
  for (const ended of await records.failOrphaned(error)) {
    account(ended, { ...ended, outcome: { status: 'FAILED', error } })
  }
  for (const uuid of await records.longQueued(lostAfterMs, LONG_QUEUED)) {
    // Its worker took it from the queue, and died or lost the database before it could begin.
    if (!(await queue.isWaiting(uuid))) {
      await withTransaction(pool, (client) => queue.send(client, uuid))
    }
  }
}

const died = () => new ServiceUnavailableException(jobMessages.processEnded())
