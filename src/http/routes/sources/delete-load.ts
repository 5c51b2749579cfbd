import {
  RuleBrokenException,
  SourceBusyException,
  SourceInUseException,
  SourceLoadConflictException,
  SourceLoadNotFoundException,
  SourceNotFoundException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { loadPath } from '../../presenters/present-load.ts'
import { message } from '../../schemas.ts'
import { loadMessages } from '../../../stack/load-messages.ts'

const DELETED = { message: loadMessages.removed() }

export const deleteLoad = defineRoute(
  {
    method: 'delete',
    path: '/sources/:uuid/loads/:load',
    access: 'admin',
    tag: 'sources',
    summary: 'Drop a staged load, or take an appended one out again',
    audit: 'load.remove',
    description:
      'A load that was staged is dropped. Of one that is current and was appended the rows are ' +
      'taken out of what is shown and of the states that are kept; the rejects that it corrected ' +
      'are rejects again. A load that has replaced rows, by key or all of them, is not taken ' +
      'out of the middle: roll back instead.',
    params: loadPath,
    responses: { 200: { description: 'It is gone', schema: message, example: DELETED } },
    problems: [
      SourceNotFoundException,
      SourceLoadNotFoundException,
      SourceBusyException,
      SourceLoadConflictException,
      SourceInUseException,
      RuleBrokenException,
    ],
  },
  async ({ actor, params, signal, record }, { sources }) => {
    await sources.removeLoad(actor, params.uuid, params.load, signal, record)
    return DELETED
  },
)
