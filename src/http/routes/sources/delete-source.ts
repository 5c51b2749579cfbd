import {
  SourceBusyException,
  SourceInUseException,
  SourceNotFoundException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { sourcePath } from '../../presenters/present-source.ts'
import { message } from '../../schemas.ts'
import { sourceMessages } from '../../../domain/sources/source-messages.ts'

const DELETED = { message: sourceMessages.deleted() }

export const deleteSource = defineRoute(
  {
    method: 'delete',
    path: '/sources/:uuid',
    access: 'admin',
    tag: 'sources',
    summary: 'Delete a source with its table and its stored upload',
    audit: 'source.remove',
    params: sourcePath,
    responses: { 200: { description: 'It is gone', schema: message, example: DELETED } },
    problems: [SourceNotFoundException, SourceBusyException, SourceInUseException],
  },
  async ({ actor, params, record }, { sources }) => {
    await sources.remove(actor, params.uuid, record)
    return DELETED
  },
)
