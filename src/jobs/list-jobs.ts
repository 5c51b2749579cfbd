import type { Pool } from 'pg'

import { newestFirst, offsetOf, pageOf, pageQuery, type PageRow } from '../db/page-query.ts'
import { queryUntilAborted } from '../db/until-aborted.ts'
import type { Actor } from '../domain/actor.ts'
import { type JobStatus, type ListedJob, listedJob } from '../resources/job.ts'
import type { Page, PageRequest } from '../resources/page.ts'
import { selectionOf } from '../resources/resource.ts'
import { SCOPES } from '../scope.ts'

export interface JobQuery extends PageRequest {
  readonly status?: JobStatus | undefined
  readonly kind?: string | undefined
  readonly about?: string | undefined
}

/** Those of a kind, with a status, about a thing. */
const CHOSEN = `
  ($4::text is null or jobs.status = $4) and ($5::text is null or jobs.kind = $5)
  and ($6::uuid is null or jobs.about_uuid = $6)`

const LIST = pageQuery({
  counted: `
    select count(*) as total from jobs where ${SCOPES.ownJobs.rows('jobs', '$1')} and ${CHOSEN}`,
  items: `
    select ${selectionOf(listedJob, 'jobs')} from jobs
    where ${SCOPES.ownJobs.rows('jobs', '$1')} and ${CHOSEN}
    order by ${newestFirst('jobs')} limit $2 offset $3`,
})

/** One's own jobs, without their results. */
export async function listJobs(
  pool: Pool,
  actor: Actor,
  { status, kind, about, ...request }: JobQuery,
  signal: AbortSignal,
): Promise<Page<ListedJob>> {
  const values = [SCOPES.ownJobs.reach(actor), request.limit, offsetOf(request)]
  const query = { text: LIST, values: [...values, status, kind, about] }
  const { rows } = await queryUntilAborted<PageRow<ListedJob>>(pool, query, signal)
  return pageOf(rows)
}
