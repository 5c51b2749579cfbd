import { Type } from 'typebox'

import {
  SourceBusyException,
  SourceInUseException,
  SourceNotFoundException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { presentProfile, sourceProfileSchema } from '../../presenters/present-source-profile.ts'
import { sourcePath } from '../../presenters/present-source.ts'
import { strictObject } from '../../schemas.ts'

export const profileSource = defineRoute(
  {
    method: 'get',
    path: '/sources/:uuid/profile',
    access: 'admin',
    tag: 'sources',
    summary: 'Show how the values of a source are distributed',
    description:
      'The share of blanks, how numbers and dates are spread, and which values come often, as ' +
      'estimated by the statistics that PostgreSQL gathers after each publication. No row is read, ' +
      'except a sample of 10,000 of a column without statistics.',
    params: sourcePath,
    query: strictObject({
      column: Type.Optional(
        Type.String({
          minLength: 1,
          format: 'without-nul',
          description: 'Header of the one column to show; default: all',
          examples: ['Montant TTC'],
        }),
      ),
    }),
    responses: { 200: { description: 'What is known', schema: sourceProfileSchema } },
    problems: [SourceNotFoundException, SourceBusyException, SourceInUseException],
  },
  async ({ actor, params, query, signal }, { sources }) =>
    presentProfile(await sources.profile(actor, params.uuid, query, signal)),
)
