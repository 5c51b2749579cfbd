import { Type } from 'typebox'

import type { SentDelivery } from '../../../domain/collections/accept-delivery.ts'
import { fieldMessages, invalidField, withMembers } from '../../../errors/index.ts'
import { toProblem } from '../../../errors/to-problem.ts'
import { isMultipart } from '../../body/multipart.ts'
import type { RouteRequest } from '../../define-route.ts'
import { exampleUploadUuid } from '../../presenters/present-document.ts'
import { EXAMPLE_CSV } from '../../presenters/example-table.ts'
import { named, strictObject, uuid } from '../../schemas.ts'
import { exampleMapping, mappingFields } from '../sources/mapping-fields.ts'
import { pointedIntoBody } from '../sources/pointed-into-body.ts'
import { readSourceBody } from '../sources/read-source-body.ts'

const { mapping } = mappingFields
const fieldsOfForm = strictObject({ mapping })

const ofUpload = named(
  'DeliveryOfUpload',
  strictObject({ uploadUuid: uuid('A completed upload in parts'), mapping }),
  {
    upload: { uploadUuid: exampleUploadUuid },
    mapped: { uploadUuid: exampleUploadUuid, mapping: exampleMapping },
  },
)

/** A file, and what its holder says of its headers. */
export const DELIVERY_FORM = {
  'multipart/form-data': named(
    'DeliveryForm',
    strictObject({ mapping, file: Type.String({ format: 'binary' }) }),
    {
      file: { file: EXAMPLE_CSV },
      mapped: { mapping: exampleMapping, file: EXAMPLE_CSV },
    },
  ),
  'application/json': ofUpload,
}

export async function readDelivery(
  request: RouteRequest<'holder', unknown, unknown, unknown>,
): Promise<SentDelivery> {
  const body = await readSourceBody(request)
  if (!isMultipart(request.incoming)) {
    const given = request.check(ofUpload, body.fields)
    const sent = { uploadUuid: given.uploadUuid, signal: request.signal }
    return { sent, mapping: given.mapping }
  }
  const given = request.check(fieldsOfForm, body.fields)
  if (body.file === null) throw invalidField('/file', fieldMessages.required())
  return { sent: { incoming: body.file }, mapping: given.mapping }
}

/** Without remedies: they are options, and those of a collection are not up to its senders. */
export function toldToHolder(error: unknown): unknown {
  const problem = toProblem(pointedIntoBody(error))
  return problem.extras.members?.remedies === undefined
    ? problem
    : withMembers(problem, { remedies: undefined })
}
