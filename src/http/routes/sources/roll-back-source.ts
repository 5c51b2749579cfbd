import { Type } from 'typebox'

import { ACCESS_TO_WORK } from '../../../domain/long-work.ts'
import {
  RuleBrokenException,
  SourceBusyException,
  SourceLoadConflictException,
  SourceLoadNotFoundException,
  SourceNotFoundException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { exampleLoad } from '../../presenters/present-load.ts'
import { sourcePath, sourceSchema } from '../../presenters/present-source.ts'
import { respondAsJob } from '../../respond-as-job.ts'
import { named, strictObject, uuid } from '../../schemas.ts'
import { IN_USE_PROBLEMS } from './source-problems.ts'

export const rollBackSource = defineRoute(
  {
    method: 'post',
    path: '/sources/:uuid/rollback',
    access: ACCESS_TO_WORK['source.rollback'],
    tag: 'sources',
    summary: 'Show an earlier state of a source again',
    audit: 'source.rollback',
    description:
      'Without a load what was shown before the last publication, so that twice is forth and back; ' +
      'with one the state after it, if that is kept. It is a publication of its own, and can itself ' +
      'be rolled back.',
    params: sourcePath,
    body: named(
      'SourceRollback',
      strictObject({ load: Type.Optional(uuid('A load whose state is kept', exampleLoad.uuid)) }),
      { 'the-state-before': {}, 'a-state-that-is-kept': { load: exampleLoad.uuid } },
    ),
    bodyRequired: false,
    responses: {
      200: { description: 'The source as it is now', schema: sourceSchema, shows: ['loaded'] },
    },
    problems: [
      RuleBrokenException,
      SourceNotFoundException,
      SourceLoadNotFoundException,
      SourceBusyException,
      SourceLoadConflictException,
      ...IN_USE_PROBLEMS,
    ],
    longRunning: 'source.rollback',
    place: 'uploads',
  },
  async (request, services) => {
    const { actor, params, body } = request
    const input = { uuid: params.uuid, load: body.load ?? null }
    // Checked before anything is recorded, so that a request for what is out of scope leaves no
    // trace.
    await services.sources.locate(actor, input.uuid)
    if (input.load !== null) await services.sources.findLoad(actor, input.uuid, input.load)
    return respondAsJob(request, services, 'source.rollback', input)
  },
)
