import { type Static, Type } from 'typebox'

import { fieldMessages, invalidField, SourceNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import {
  exampleSource,
  presentSource,
  sourcePath,
  sourceSchema,
} from '../../presenters/present-source.ts'
import { named, strictObject, trimmedName } from '../../schemas.ts'

const sourceChange = named(
  'SourceChange',
  strictObject(
    {
      name: Type.Optional(trimmedName('1 to 255 characters after trimming')),
      keepLoads: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 20,
          description: 'How many earlier states are kept besides the one that is shown',
        }),
      ),
    },
    { minProperties: 1 },
  ),
  { rename: { name: exampleSource.name }, 'keep-more': { keepLoads: 5 } },
)

export const changeSource = defineRoute(
  {
    method: 'patch',
    path: '/sources/:uuid',
    access: 'admin',
    tag: 'sources',
    summary: 'Rename a source, or say how many of its earlier states are kept',
    description:
      'Its table keeps its name: queries of others go on working. With a lower `keepLoads` the ' +
      'oldest states are gone at once.',
    params: sourcePath,
    body: sourceChange,
    responses: { 200: { description: 'The source', schema: sourceSchema, shows: ['loaded'] } },
    problems: [SourceNotFoundException],
  },
  async ({ actor, params, body }, { sources }) => {
    requireChange(body)
    return presentSource(await sources.change(actor, params.uuid, body))
  },
)

function requireChange({ name, keepLoads }: Static<typeof sourceChange>): void {
  if (name === undefined && keepLoads === undefined)
    throw invalidField('/name', fieldMessages.required())
}
