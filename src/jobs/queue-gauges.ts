import type { Pool } from 'pg'

import { askedOnce, type AskedGauge } from '../observability/metrics.ts'

interface QueueGauges {
  readonly queued: number
  /** Queued, and waiting for something that is unavailable. */
  readonly waiting: number
  readonly running: number
  /** 0 where nothing is queued. */
  readonly oldestQueuedSeconds: number
}

/** The state of the queue, across all processes. */
export const createQueueGauges = (pool: Pool): (() => Promise<QueueGauges>) =>
  askedOnce(() => read(pool))

async function read(pool: Pool): Promise<QueueGauges> {
  const { rows } = await pool.query<QueueGauges>(
    `select count(*) filter (where status = 'QUEUED')::int as queued,
            count(*) filter (where status = 'QUEUED' and waiting_for is not null)::int as waiting,
            count(*) filter (where status = 'RUNNING')::int as running,
            coalesce(extract(epoch from now() - min(created_at) filter (where status = 'QUEUED')), 0)
              ::float8 as "oldestQueuedSeconds"
     from jobs where status in ('QUEUED', 'RUNNING')`,
  )
  return rows[0]!
}

/** The same for Prometheus. */
export const jobGauges = (ask: () => Promise<QueueGauges>): readonly AskedGauge[] =>
  (
    [
      ['jobs_queued', 'Jobs that wait for a worker, in all processes', 'queued'],
      ['jobs_waiting', 'Queued jobs that wait for a part of the service that is away', 'waiting'],
      ['jobs_running', 'Jobs that run, in all processes', 'running'],
      ['jobs_oldest_queued_seconds', 'Age of the oldest queued job', 'oldestQueuedSeconds'],
    ] as const
  ).map(([name, help, key]) => ({
    name,
    help,
    read: async () => [{ value: (await ask())[key] }],
  }))
