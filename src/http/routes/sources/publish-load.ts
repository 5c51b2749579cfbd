import { ACCESS_TO_WORK } from '../../../domain/long-work.ts'
import {
  MappingQuestionException,
  RuleBrokenException,
  ShapeChangedException,
  SourceBusyException,
  SourceLoadConflictException,
  SourceLoadNotFoundException,
  SourceNotFoundException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { loadPath } from '../../presenters/present-load.ts'
import { sourceSchema } from '../../presenters/present-source.ts'
import { respondAsJob } from '../../respond-as-job.ts'
import { named, strictObject } from '../../schemas.ts'
import { IF_MATCH_OF_LOAD, tagsIn } from '../shapes/shape-tag.ts'
import { mappingFields } from './mapping-fields.ts'
import { IN_USE_PROBLEMS, RELOAD_PROBLEMS } from './source-problems.ts'

export const publishLoad = defineRoute(
  {
    method: 'post',
    path: '/sources/:uuid/loads/:load/publish',
    access: ACCESS_TO_WORK['source.publish'],
    tag: 'sources',
    summary: 'Publish a load that was staged',
    audit: 'source.publish',
    description:
      'Its rows are shown as if they had been loaded now: in the place of all others, or, where ' +
      'they were appended or upserted, beside those that are shown by now. A load with `questions` ' +
      'wants an answer to each of them in `mapping`; `{}` leaves all as the shape proposes. Where ' +
      'cells have to be read anew, they are read from what was sent.',
    params: loadPath,
    body: named('LoadAnswers', strictObject(mappingFields), {
      'as-it-is': {},
      answers: { mapping: { 'Montant TTC': 'Montant' } },
      'all-may-stay': { mapping: {} },
    }),
    bodyRequired: false,
    headers: IF_MATCH_OF_LOAD,
    responses: {
      200: { description: 'The source as it is now', schema: sourceSchema, shows: ['loaded'] },
    },
    problems: [
      RuleBrokenException,
      SourceNotFoundException,
      SourceLoadNotFoundException,
      SourceBusyException,
      SourceLoadConflictException,
      MappingQuestionException,
      ShapeChangedException,
      ...RELOAD_PROBLEMS.filter(
        (problem) =>
          problem !== SourceNotFoundException &&
          problem !== SourceBusyException &&
          !IN_USE_PROBLEMS.includes(problem),
      ),
      ...IN_USE_PROBLEMS,
    ],
    longRunning: 'source.publish',
    place: 'uploads',
  },
  async (request, services) => {
    const { actor, params, body, header } = request
    // Checked before anything is recorded, so that a request for what is out of scope leaves no
    // trace.
    await services.sources.findLoad(actor, params.uuid, params.load)
    const seen = tagsIn(header('if-match'))
    return respondAsJob(request, services, 'source.publish', { ...params, ...body, seen })
  },
)
