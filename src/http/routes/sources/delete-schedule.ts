import { SourceNotFoundException, SourceScheduleNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { sourcePath } from '../../presenters/present-source.ts'
import { message } from '../../schemas.ts'
import { scheduleMessages } from '../../../domain/schedules/schedule-messages.ts'

const DELETED = { message: scheduleMessages.removed() }

export const deleteSchedule = defineRoute(
  {
    method: 'delete',
    path: '/sources/:uuid/schedule',
    access: 'admin',
    tag: 'sources',
    summary: 'Load a source no longer by itself',
    audit: 'schedule.remove',
    description: 'A run that is under way goes on; its job can be cancelled.',
    params: sourcePath,
    responses: { 200: { description: 'It is gone', schema: message, example: DELETED } },
    problems: [SourceNotFoundException, SourceScheduleNotFoundException],
  },
  async ({ actor, params, record }, { schedules }) => {
    await schedules.remove(actor, params.uuid, record)
    return DELETED
  },
)
