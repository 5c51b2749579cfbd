import { SourceBusyException, SourceNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { message, uuidParams } from '../../schemas.ts'

export const deleteSource = defineRoute(
  {
    method: 'delete',
    path: '/sources/:uuid',
    access: 'admin',
    tag: 'sources',
    summary: 'Delete a source with its table and its stored upload',
    params: uuidParams,
    responses: { 200: { description: 'It is gone', schema: message } },
    problems: [SourceNotFoundException, SourceBusyException],
  },
  async ({ actor, params }, { sources }) => {
    await sources.remove(actor, params.uuid)
    return { message: 'The source and its table were deleted' }
  },
)
