import type { Pool } from 'pg'

import { askedOnce, type AskedGauge } from '../../observability/metrics.ts'

interface ScheduleState {
  readonly all: number
  readonly failing: number
  /** 0 where none is due. */
  readonly lateSeconds: number
}

/** The state of the schedules, across all processes. */
export function scheduleGauges(pool: Pool): readonly AskedGauge[] {
  const ask = askedOnce(async () => {
    const { rows } = await pool.query<ScheduleState>(
      `select count(*)::int as all, count(*) filter (where failures > 0)::int as failing,
              coalesce(extract(epoch from now() - min(next_run_at) filter (where next_run_at < now())), 0)
                ::float8 as "lateSeconds"
       from source_schedules`,
    )
    return rows[0]!
  })
  const gauge = (name: string, help: string, key: keyof ScheduleState): AskedGauge => ({
    name,
    help,
    read: async () => [{ value: (await ask())[key] }],
  })
  return [
    gauge('schedules', 'Schedules of sources', 'all'),
    gauge('schedules_failing', 'Schedules whose last run failed', 'failing'),
    gauge(
      'schedules_late_seconds',
      'How long ago the oldest run that is due should have begun',
      'lateSeconds',
    ),
  ]
}
