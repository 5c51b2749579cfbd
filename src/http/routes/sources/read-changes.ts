import { Type } from 'typebox'

import { CHANGE_KINDS } from '../../../stack/read/compare-states.ts'
import {
  ServiceUnavailableException,
  SourceBusyException,
  SourceLoadConflictException,
  SourceLoadNotFoundException,
  SourceNotFoundException,
  PageTooLargeException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { changesSchema, presentChanges } from '../../presenters/present-changes.ts'
import { exampleLoad, stagedLoad } from '../../presenters/present-load.ts'
import { sourcePath } from '../../presenters/present-source.ts'
import { pageQuery, strictObject, uuid } from '../../schemas.ts'

export const readSourceChanges = defineRoute(
  {
    method: 'get',
    path: '/sources/:uuid/changes',
    access: 'admin',
    tag: 'sources',
    summary: 'Compare two states of a source: what is shown with what is staged, or any two',
    description:
      'Each load stands for the state after it: one that is shown, kept or staged. With `key` rows ' +
      'are told apart by that column, in which no value may stand twice; without it they are ' +
      'compared whole, and one that stands three times before and twice after is removed once. A ' +
      'column that one of the states does not have is empty there. The counts are those of all ' +
      'rows, whatever `kind` leaves out. Removed rows come first, then the others, each in the ' +
      'order of the table.',
    params: sourcePath,
    query: strictObject({
      from: Type.Optional(uuid('Load; default: the state that is shown', exampleLoad.uuid)),
      to: Type.Optional(uuid('Load; default: the one that is staged', stagedLoad.uuid)),
      key: Type.Optional(
        Type.String({
          minLength: 1,
          format: 'without-nul',
          description: 'Header of the column that tells rows apart',
          examples: ['Client'],
        }),
      ),
      kind: Type.Optional(Type.Enum(CHANGE_KINDS, { description: 'Lists these alone' })),
      ...pageQuery(20),
    }),
    responses: { 200: { description: 'A page of changes', schema: changesSchema } },
    problems: [
      PageTooLargeException,
      SourceNotFoundException,
      SourceLoadNotFoundException,
      SourceLoadConflictException,
      SourceBusyException,
      ServiceUnavailableException,
    ],
    // It takes one of the connections of exports.
    place: 'exports',
  },
  async ({ actor, params, query, signal }, { sources }) =>
    presentChanges(await sources.readChanges(actor, params.uuid, query, signal), query),
)
