import { ACCESS_TO_WORK } from '../../../domain/long-work.ts'
import {
  ApiConnectionNotFoundException,
  SourceNotFoundException,
  SourceScheduleUnsupportedException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { presentSchedule, scheduleBody, scheduleSchema } from '../../presenters/present-schedule.ts'
import { sourcePath } from '../../presenters/present-source.ts'

export const setSchedule = defineRoute(
  {
    method: 'put',
    path: '/sources/:uuid/schedule',
    access: ACCESS_TO_WORK['source.schedule'],
    tag: 'sources',
    summary: 'Load a source of a connection again and again',
    audit: 'schedule.set',
    description:
      'Each run is a reload as a job of whoever made the source, with the rights that they have ' +
      'then. Times that went by while the service was down are made up for by one run, and a run ' +
      'that is due while the last one still goes on is left out. Where the clocks change, an hour ' +
      'that is left out runs right after it, and one that comes twice runs once. Three failures ' +
      'in a row are told by e-mail.',
    params: sourcePath,
    body: scheduleBody,
    responses: { 200: { description: 'The schedule', schema: scheduleSchema, shows: ['new'] } },
    problems: [
      SourceNotFoundException,
      ApiConnectionNotFoundException,
      SourceScheduleUnsupportedException,
    ],
  },
  async ({ actor, params, body, record }, { schedules }) =>
    presentSchedule(await schedules.set(actor, params.uuid, body, record)),
)
