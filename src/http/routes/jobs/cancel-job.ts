import { JobAlreadyFinishedException, JobNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { jobPath, jobSchema, presentJob } from '../../presenters/present-job.ts'

export const cancelJob = defineRoute(
  {
    method: 'post',
    path: '/jobs/:uuid/cancel',
    access: 'user',
    tag: 'jobs',
    summary: 'Cancel a job',
    audit: 'job.cancel',
    description:
      'The work stops and cleans up; the job is CANCELLED when it has. Where the work had come to ' +
      'its end already, it is SUCCEEDED.',
    params: jobPath,
    responses: {
      202: { description: 'The job, asked to stop', schema: jobSchema, shows: ['running'] },
    },
    problems: [JobNotFoundException, JobAlreadyFinishedException],
  },
  async ({ actor, params, record }, { jobs }) =>
    presentJob(await jobs.cancel(actor, params.uuid, record)),
)
