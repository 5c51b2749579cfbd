import { Type } from 'typebox'

import { fieldMessages, invalidField, withMembers } from '../../../errors/index.ts'
import { toProblem } from '../../../errors/to-problem.ts'
import type { RouteRequest } from '../../define-route.ts'
import { EXAMPLE_CSV } from '../../presenters/example-table.ts'
import { named, strictObject } from '../../schemas.ts'
import { exampleMapping, mappingFields } from '../sources/mapping-fields.ts'
import { pointedIntoBody } from '../sources/pointed-into-body.ts'
import { readSourceBody } from '../sources/read-source-body.ts'

const fields = strictObject({ mapping: mappingFields.mapping })

/** A file, and what its holder says of its headers. */
export const DELIVERY_FORM = {
  'multipart/form-data': named(
    'DeliveryForm',
    strictObject({ ...fields.properties, file: Type.String({ format: 'binary' }) }),
    {
      file: { file: EXAMPLE_CSV },
      mapped: { mapping: exampleMapping, file: EXAMPLE_CSV },
    },
  ),
}

export async function readDelivery(request: RouteRequest<'holder', unknown, unknown, unknown>) {
  const body = await readSourceBody(request)
  const { mapping } = request.check(fields, body.fields)
  if (body.file === null) throw invalidField('/file', fieldMessages.required())
  return { incoming: body.file, mapping }
}

/** Without remedies: they are options, and those of a collection are not up to its senders. */
export function toldToHolder(error: unknown): unknown {
  const problem = toProblem(pointedIntoBody(error))
  return problem.extras.members?.remedies === undefined
    ? problem
    : withMembers(problem, { remedies: undefined })
}
