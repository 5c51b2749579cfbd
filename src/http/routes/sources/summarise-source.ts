import { Type } from 'typebox'

import {
  SourceBusyException,
  SourceInUseException,
  SourceNotFoundException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { presentSummary, sourceSummarySchema } from '../../presenters/present-source-summary.ts'
import { sourcePath } from '../../presenters/present-source.ts'
import { strictObject } from '../../schemas.ts'

export const summariseSource = defineRoute(
  {
    method: 'get',
    path: '/sources/:uuid/summary',
    access: 'admin',
    tag: 'sources',
    summary: 'Summarise the columns of a source',
    description:
      'Blanks, distinct values, the least and the most of each column. Exact up to 1,000,000 rows; ' +
      'above that by a sample of about as many, which `isExact` and `countedRows` say. The count ' +
      'stops when the client goes away; a large table is best asked about one column at a time.',
    params: sourcePath,
    query: strictObject({
      column: Type.Optional(
        Type.String({
          minLength: 1,
          format: 'without-nul',
          description: 'Header of the one column to summarise; default: all',
          examples: ['Montant TTC'],
        }),
      ),
    }),
    responses: { 200: { description: 'What the columns hold', schema: sourceSummarySchema } },
    problems: [SourceNotFoundException, SourceBusyException, SourceInUseException],
  },
  async ({ actor, params, query, signal }, { sources }) =>
    presentSummary(await sources.summarise(actor, params.uuid, query, signal)),
)
