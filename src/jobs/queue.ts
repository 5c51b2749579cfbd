import type { ClientBase } from 'pg'
import { PgBoss } from 'pg-boss'

import { DatabaseClient } from '../db/client.ts'
import { connectionSettings, type DatabaseAddress, isPooled, SESSION_NAME } from '../db/pool.ts'
import type { Logger } from '../observability/logger.ts'
import { OutageLog } from '../observability/outage-log.ts'

const QUEUE = 'jobs'
const POLL_SECONDS = 0.5
/** The longest that pg-boss allows; whether a job still runs is decided by the service's own heartbeat. */
const LONGEST_SECONDS = 24 * 60 * 60 - 1

interface JobQueueOptions {
  readonly sessionName?: string
  /** From then on nobody needs to hear that a database is away which ends with the process. */
  readonly stopping?: AbortSignal
}

export async function openJobQueue(
  database: DatabaseAddress,
  logger: Logger,
  { sessionName = SESSION_NAME, stopping }: JobQueueOptions = {},
) {
  // It reads values of its own, by the driver's own parsers.
  const { types: _ours, ...settings } = connectionSettings(database.url, {
    pooled: isPooled(database),
    sessionName: `${sessionName} queue`,
  })
  const connecting = { ...settings, Client: DatabaseClient, max: 4 }
  const boss = new PgBoss({ ...connecting, schedule: false, reindex: false, monitorVacuum: false })
  const outages = new OutageLog({
    logger,
    what: 'the job queue',
    works: () => boss.getDb().executeSql('select 1'),
  })
  let isClosing = false
  boss.on('error', (error) => {
    if (!isClosing && !stopping?.aborted) outages.failed(error)
  })
  const close = async () => {
    isClosing = true
    outages[Symbol.dispose]()
    await boss.stop({ graceful: false, close: true })
  }
  try {
    await boss.start()
    await boss.createQueue(QUEUE, {
      retryLimit: 0,
      expireInSeconds: LONGEST_SECONDS,
      deleteAfterSeconds: 60,
    })
  } catch (error) {
    await close()
    throw error
  }

  return {
    /**
     * Runs in the caller's transaction: a job is both recorded and queued, or neither. Workers find
     * it after the delay.
     */
    async send(client: ClientBase, jobUuid: string, delaySeconds = 0): Promise<void> {
      await boss.send(
        QUEUE,
        { jobUuid },
        {
          db: { executeSql: (text, values) => client.query(text, values) },
          ...(delaySeconds > 0 && { startAfter: delaySeconds }),
        },
      )
    },
    /** Whether it was sent and nobody has taken it yet. */
    async isWaiting(jobUuid: string): Promise<boolean> {
      return (await boss.findJobs(QUEUE, { data: { jobUuid }, queued: true })).length > 0
    },
    /** Calls `run` for every job that arrives, at most this many at once. */
    async work(concurrency: number, run: () => Promise<void>): Promise<void> {
      await boss.work<{ jobUuid: string }>(
        QUEUE,
        { localConcurrency: concurrency, pollingIntervalSeconds: POLL_SECONDS },
        async ([job]) => {
          if (job) await run()
        },
      )
    },
    /** Takes no more jobs; does not wait for running ones. */
    async stopWork(): Promise<void> {
      await boss.offWork(QUEUE, { wait: false })
    },
    close,
  }
}

/**
 * Tells workers that a job waits, at least once for each job; the table `jobs` decides which one
 * they take.
 */
export type JobQueue = Awaited<ReturnType<typeof openJobQueue>>
