import { JobNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { jobPath, jobSchema, presentJob } from '../../presenters/present-job.ts'

export const showJob = defineRoute(
  {
    method: 'get',
    path: '/jobs/:uuid',
    access: 'user',
    tag: 'jobs',
    summary: 'Show a job: its progress, and its result or error',
    description: 'Visible to its owner and to super-admins.',
    params: jobPath,
    responses: { 200: { description: 'The job', schema: jobSchema } },
    problems: [JobNotFoundException],
  },
  async ({ actor, params }, { jobs }) => presentJob(await jobs.show(actor, params.uuid)),
)
