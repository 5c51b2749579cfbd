import type { Pool } from 'pg'

import { deleteInBatches } from '../db/delete-in-batches.ts'

/**
 * Removes the records of jobs that ended long enough ago. The job of a workflow run is part of the
 * run, and stays with it.
 */
export const removeOldJobs = (pool: Pool, keptMs: number): Promise<number> =>
  deleteInBatches(pool, {
    table: 'jobs',
    where: `finished_at < now() - make_interval(secs => $1::float8 / 1000)
      and not exists (select from workflow_runs where workflow_runs.job_uuid = jobs.uuid)`,
    oldestBy: 'finished_at',
    values: [keptMs],
  })
