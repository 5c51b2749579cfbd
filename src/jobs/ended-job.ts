import type { JobProgress } from '../resources/job.ts'

/** A job that was ended by another process than its own. */
export interface EndedJob {
  readonly uuid: string
  readonly attempt: number
  readonly kind: string
  readonly ownerId: number
  readonly enterpriseId: number | null
  readonly requestId: string | null
  readonly progress: JobProgress
  readonly durationMs: number
}

export const ENDED = `
  uuid, attempt, kind, owner_id as "ownerId", enterprise_id as "enterpriseId",
  request_id as "requestId", phase, bytes_read::float8 as "bytesRead",
  bytes_total::float8 as "bytesTotal", rows::float8 as rows, rejected::float8 as rejected,
  coalesce(extract(epoch from now() - started_at), 0)::float8 * 1000 as "durationMs"`

export type EndedRow = Omit<EndedJob, 'progress'> & JobProgress

export const toEndedJob = ({
  phase,
  bytesRead,
  bytesTotal,
  rows,
  rejected,
  ...ended
}: EndedRow): EndedJob => ({
  ...ended,
  progress: { phase, bytesRead, bytesTotal, rows, rejected },
})
