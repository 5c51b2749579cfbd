import type { Pool } from 'pg'

import type { AskedGauge } from '../observability/metrics.ts'

/** How long one process reuses an answer, however often it is asked. */
const FRESH_MS = 5000

interface QueueGauges {
  readonly queued: number
  /** Queued, and waiting for something that is unavailable. */
  readonly waiting: number
  readonly running: number
  /** 0 where nothing is queued. */
  readonly oldestQueuedSeconds: number
}

/** The state of the queue, across all processes. */
export function createQueueGauges(pool: Pool): () => Promise<QueueGauges> {
  let last: { readonly at: number; readonly gauges: Promise<QueueGauges> } | null = null
  return () => {
    const now = performance.now()
    if (last === null || now - last.at > FRESH_MS) last = { at: now, gauges: read(pool) }
    return last.gauges
  }
}

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
