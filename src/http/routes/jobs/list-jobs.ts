import { Type } from 'typebox'

import { ACCESS_TO_WORK } from '../../../domain/long-work.ts'
import { JOB_STATUSES } from '../../../resources/job.ts'
import { defineRoute } from '../../define-route.ts'
import { exampleSource } from '../../presenters/present-source.ts'
import { listedJobSchema, presentListedJob } from '../../presenters/present-job.ts'
import { listOf, pageQuery, presentPage, strictObject, uuid } from '../../schemas.ts'

export const listJobs = defineRoute(
  {
    method: 'get',
    path: '/jobs',
    access: 'user',
    tag: 'jobs',
    summary: 'List my jobs, newest first',
    description: 'Without their results; `GET /jobs/{uuid}` has the one of each.',
    query: strictObject({
      ...pageQuery(20),
      status: Type.Optional(Type.Enum(JOB_STATUSES)),
      kind: Type.Optional(Type.Enum(Object.keys(ACCESS_TO_WORK))),
      about: Type.Optional(uuid('Those about this source, workflow or folder', exampleSource.uuid)),
    }),
    responses: {
      200: { description: 'A page of jobs', schema: listOf('JobList', listedJobSchema) },
    },
  },
  async ({ actor, query, signal }, { jobs }) =>
    presentPage(await jobs.list(actor, query, signal), query, presentListedJob),
)
