import { defineRoute } from '../../define-route.ts'
import { jobSchema, presentJob } from '../../presenters/present-job.ts'
import { listOf, pageQuery, presentPage, strictObject } from '../../schemas.ts'

export const listJobs = defineRoute(
  {
    method: 'get',
    path: '/jobs',
    access: 'user',
    tag: 'jobs',
    summary: 'List my jobs, newest first',
    query: strictObject(pageQuery(20)),
    responses: { 200: { description: 'A page of jobs', schema: listOf('JobList', jobSchema) } },
  },
  async ({ actor, query }, { jobs }) =>
    presentPage(await jobs.list(actor, query), query, presentJob),
)
