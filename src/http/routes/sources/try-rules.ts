import { Type } from 'typebox'

import {
  SourceBusyException,
  SourceInUseException,
  SourceNotFoundException,
} from '../../../errors/index.ts'
import { columnRules } from '../../../resources/rule.ts'
import { defineRoute } from '../../define-route.ts'
import { presenter } from '../../presenters/presenter.ts'
import { sourcePath } from '../../presenters/present-source.ts'
import { named, spoken, strictObject } from '../../schemas.ts'

const given = named(
  'TriedRules',
  strictObject({
    column: Type.String({
      minLength: 1,
      format: 'without-nul',
      description: 'Header of the column',
    }),
    rules: columnRules('In the place of those that it has'),
  }),
  { amounts: { column: 'Montant TTC', rules: [{ required: true }, { minimum: 100 }] } },
)

const counts = strictObject({
  rowCount: Type.Integer({ minimum: 0 }),
  countedRows: Type.Integer({ minimum: 0, description: 'Rows that were judged' }),
  isExact: Type.Boolean({ description: 'False: those are a sample' }),
  rules: Type.Array(
    strictObject({
      rule: Type.String({ description: 'Name of the rule, or its kind' }),
      count: Type.Integer({ minimum: 0, description: 'Of those rows that break it' }),
      examples: Type.Array(
        strictObject({
          value: Type.String({ description: 'Cut at 200 characters' }),
          message: spoken(),
        }),
        { maxItems: 5 },
      ),
    }),
    { description: 'As many as were given, in the same order' },
  ),
})

const countsSchema = named('BrokenRules', counts, {
  amounts: {
    rowCount: 3,
    countedRows: 3,
    isExact: true,
    rules: [
      { rule: 'required', count: 0, examples: [] },
      {
        rule: 'minimum',
        count: 1,
        examples: [{ value: '86', message: '“86” is less than 100 (rule “minimum”)' }],
      },
    ],
  },
})

const present = presenter(counts.properties)

export const tryRules = defineRoute(
  {
    method: 'post',
    path: '/sources/:uuid/rules/try',
    access: 'admin',
    tag: 'shapes',
    summary: 'Count what rules would break among the rows that are there',
    description:
      'The rules of one column, judged as a load judges them. Up to 100,000 rows all of them are ' +
      'judged, above that a sample of about as many. Nothing is changed.',
    params: sourcePath,
    body: given,
    responses: { 200: { description: 'How many rows break each of them', schema: countsSchema } },
    problems: [SourceNotFoundException, SourceBusyException, SourceInUseException],
  },
  async ({ actor, params, body, signal }, { sources }) =>
    present(await sources.tryRules(actor, params.uuid, body, signal)),
)
