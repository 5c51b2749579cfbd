import type { Pool } from 'pg'

import {
  SourceScheduleNotFoundException,
  SourceScheduleUnsupportedException,
} from '../../errors/index.ts'
import { withTransaction } from '../../db/transaction.ts'
import type { Recording } from '../../resources/alongside.ts'
import type { JobStatus } from '../../resources/job.ts'
import type { Schedule, ScheduleSettings } from '../../resources/schedule.ts'
import type { Actor } from '../actor.ts'
import type { Work } from '../../stack/fill/run-load.ts'
import type { Connections } from '../connections/create-connections.ts'
import type { Sources } from '../sources/create-sources.ts'
import type { Reloaded } from '../sources/sources.ts'
import { nextRun, requireTimes } from './next-run.ts'

interface ScheduleRow {
  readonly cron: string
  readonly timezone: string
  readonly publish: boolean
  readonly max_rows_lost_percent: number
  readonly next_run_at: Date
  readonly failures: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly job_uuid: string | null
  readonly job_status: JobStatus | null
  readonly job_started_at: Date | null
  readonly job_finished_at: Date | null
}

interface SchedulesParts {
  readonly pool: Pool
  readonly sources: Pick<Sources, 'find' | 'reload'>
  readonly connections: Pick<Connections, 'find'>
}

export function createSchedules({ pool, sources, connections }: SchedulesParts) {
  async function find(actor: Actor, sourceUuid: string): Promise<Schedule> {
    const { id } = await sources.find(actor, sourceUuid)
    const { rows } = await pool.query<ScheduleRow>(
      `select s.*, j.status as job_status, j.started_at as job_started_at,
              j.finished_at as job_finished_at
       from source_schedules s left join jobs j on j.uuid = s.job_uuid
       where s.source_id = $1`,
      [id],
    )
    if (rows[0] === undefined) throw new SourceScheduleNotFoundException()
    return toSchedule(rows[0])
  }

  return {
    find,

    async set(
      actor: Actor,
      sourceUuid: string,
      settings: ScheduleSettings,
      record?: Recording,
    ): Promise<Schedule> {
      const { id, source, connectionUuid } = await sources.find(actor, sourceUuid)
      if (source !== 'api' || !connectionUuid) throw new SourceScheduleUnsupportedException()
      requireTimes(settings)
      // Without its connection, every run would fail.
      await connections.find(actor, connectionUuid)
      await withTransaction(pool, async (client) => {
        await client.query(
          `insert into source_schedules as s (source_id, cron, timezone, publish,
                                            max_rows_lost_percent, next_run_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (source_id) do update
         set cron = $2, timezone = $3, publish = $4, max_rows_lost_percent = $5, next_run_at = $6,
             failures = 0, notice_at = null,
             updated_at = greatest(clock_timestamp(), s.updated_at + interval '1 millisecond')`,
          [
            id,
            settings.cron,
            settings.timezone,
            settings.publish,
            settings.maxRowsLostPercent,
            nextRun(settings, new Date()),
          ],
        )
        await record?.(client)
      })
      return find(actor, sourceUuid)
    },

    async remove(actor: Actor, sourceUuid: string, record?: Recording): Promise<void> {
      const { id } = await sources.find(actor, sourceUuid)
      await withTransaction(pool, async (client) => {
        const { rowCount } = await client.query(
          'delete from source_schedules where source_id = $1',
          [id],
        )
        if (rowCount !== 1) throw new SourceScheduleNotFoundException()
        await record?.(client)
      })
    },

    /** Runs once as a job of the source's creator, with the rights that they have at that time. */
    async run(creator: Actor, sourceUuid: string, work: Work): Promise<Reloaded> {
      const { publish, maxRowsLostPercent } = await find(creator, sourceUuid)
      return sources.reload(
        creator,
        sourceUuid,
        { mode: { kind: 'replace' }, publishes: publish, scheduled: { maxRowsLostPercent } },
        work,
      )
    },
  }
}

/**
 * Sources that are loaded regularly. A source that the actor may not see is a
 * SourceNotFoundException.
 */
export type Schedules = ReturnType<typeof createSchedules>

function toSchedule(row: ScheduleRow): Schedule {
  return {
    cron: row.cron,
    timezone: row.timezone,
    publish: row.publish,
    maxRowsLostPercent: row.max_rows_lost_percent,
    nextRunAt: row.next_run_at,
    lastRun:
      row.job_uuid === null || row.job_status === null
        ? null
        : {
            job: row.job_uuid,
            status: row.job_status,
            startedAt: row.job_started_at,
            finishedAt: row.job_finished_at,
          },
    failures: row.failures,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
