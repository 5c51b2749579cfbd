import { SourceNotFoundException, SourceScheduleNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { presentSchedule, scheduleSchema } from '../../presenters/present-schedule.ts'
import { sourcePath } from '../../presenters/present-source.ts'

export const showSchedule = defineRoute(
  {
    method: 'get',
    path: '/sources/:uuid/schedule',
    access: 'admin',
    tag: 'sources',
    summary: 'Show when a source is loaded again, and how the last run ended',
    params: sourcePath,
    responses: { 200: { description: 'The schedule', schema: scheduleSchema } },
    problems: [SourceNotFoundException, SourceScheduleNotFoundException],
  },
  async ({ actor, params }, { schedules }) =>
    presentSchedule(await schedules.find(actor, params.uuid)),
)
