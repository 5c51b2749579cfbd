import type { ClientBase, Pool } from 'pg'

import { withTransaction } from '../../db/transaction.ts'
import type { JobRecords } from '../../jobs/job-records.ts'
import type { JobQueue } from '../../jobs/queue.ts'
import type { Logger } from '../../observability/logger.ts'
import { eachAlone } from '../../processes/releases.ts'
import type { LongWork, ScheduledRunOfSource } from '../long-work.ts'
import { nextRun } from './next-run.ts'

const KIND: keyof LongWork = 'source.schedule'

/** The creator is notified once after this many consecutive failures. */
const FAILURES_TOLD = 3

interface RunDueParts {
  readonly pool: Pool
  readonly records: JobRecords
  readonly queue: JobQueue
  readonly logger: Logger
}

/**
 * Counts how the last runs ended, then starts those that are due. Any number of processes may do so
 * simultaneously: a schedule is advanced once, in the transaction that queues its run.
 */
export async function runDueSchedules(parts: RunDueParts): Promise<void> {
  await countEnded(parts.pool)
  const { rows } = await parts.pool.query<DueSchedule>(
    `select source_id, uuid, name, owner_id, enterprise_id, cron, timezone, is_running, next_run_at, now() as now
     from (
       select s.*, src.uuid, src.name, src.created_by as owner_id, src.enterprise_id
       from source_schedules s join sources src on src.id = s.source_id
       where s.next_run_at <= now()) due
     order by next_run_at`,
  )
  await eachAlone(rows, (due) => begin(parts, due))
}

interface DueSchedule {
  readonly source_id: number
  readonly uuid: string
  readonly name: string
  readonly owner_id: number | null
  readonly enterprise_id: number
  readonly cron: string
  readonly timezone: string
  readonly is_running: boolean
  readonly next_run_at: Date
  readonly now: Date
}

/**
 * Starts a single run, however many times were missed, and none while the last run is still in
 * progress.
 */
async function begin({ pool, records, queue, logger }: RunDueParts, due: DueSchedule) {
  const next = nextRun(due, due.now)
  await withTransaction(pool, async (client) => {
    if (!(await moveOn(client, due, next))) return
    if (due.is_running) {
      logger.info({ source: due.uuid }, 'a scheduled load is left out: the last one still runs')
      return
    }
    // The creator of the source no longer exists, so there is nobody to act for.
    if (due.owner_id === null) return
    const input: ScheduledRunOfSource = { uuid: due.uuid }
    const job = await records.addQueued(client, {
      kind: KIND,
      ownerId: due.owner_id,
      enterpriseId: due.enterprise_id,
      about: { uuid: due.uuid, name: due.name },
      input,
      requestId: null,
    })
    await client.query(
      'update source_schedules set job_uuid = $2, is_running = true where source_id = $1',
      [due.source_id, job.uuid],
    )
    await queue.send(client, job.uuid)
  })
}

/** False if another process was faster, or somebody has just set other times. */
async function moveOn(
  client: ClientBase,
  { source_id: sourceId, next_run_at: dueAt, is_running: isRunning }: DueSchedule,
  next: Date,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update source_schedules set next_run_at = $4
     where source_id = $1 and next_run_at = $2 and is_running = $3`,
    [sourceId, dueAt, isRunning, next],
  )
  return rowCount === 1
}

async function countEnded(pool: Pool): Promise<void> {
  await pool.query(
    `with ended as (
       select s.source_id, j.status, j.error ->> 'detail' as reason
       from source_schedules s left join jobs j on j.uuid = s.job_uuid
       where s.is_running and (j.uuid is null or j.finished_at is not null)
       for update of s skip locked)
     update source_schedules s
     set is_running = false,
         failures = case e.status when 'FAILED' then s.failures + 1
                                  when 'SUCCEEDED' then 0 else s.failures end,
         notice_at = case when e.status = 'FAILED' and s.failures + 1 = ${FAILURES_TOLD} then now()
                          when e.status = 'SUCCEEDED' then null else s.notice_at end,
         notice_reason = coalesce(e.reason, s.notice_reason)
     from ended e where e.source_id = s.source_id`,
  )
}
