import { defineRoute } from '../../define-route.ts'
import { listedJobSchema, presentListedJob } from '../../presenters/present-job.ts'
import { listOf, pageQuery, presentPage, strictObject } from '../../schemas.ts'

export const listJobs = defineRoute(
  {
    method: 'get',
    path: '/jobs',
    access: 'user',
    tag: 'jobs',
    summary: 'List my jobs, newest first',
    description: 'Without their results; `GET /jobs/{uuid}` has the one of each.',
    query: strictObject(pageQuery(20)),
    responses: {
      200: { description: 'A page of jobs', schema: listOf('JobList', listedJobSchema) },
    },
  },
  async ({ actor, query, signal }, { jobs }) =>
    presentPage(await jobs.list(actor, query, signal), query, presentListedJob),
)
