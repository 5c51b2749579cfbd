import { type Static, Type } from 'typebox'

import { ACCESS_TO_WORK } from '../../../domain/long-work.ts'
import { LOAD_MODES } from '../../../resources/load.ts'
import type { LoadMode } from '../../../stack/load.ts'
import type { Reload } from '../../../domain/sources/sources.ts'
import {
  invalidField,
  MappingQuestionException,
  ShapeChangedException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { EXAMPLE_CSV, exampleOptions } from '../../presenters/example-table.ts'
import { loadSchema } from '../../presenters/present-load.ts'
import { sourcePath, sourceSchema } from '../../presenters/present-source.ts'
import { respondAsJob } from '../../respond-as-job.ts'
import { named, strictObject } from '../../schemas.ts'
import { IF_MATCH_OF_LOAD, tagsIn } from '../shapes/shape-tag.ts'
import { givenKey, keyField } from './key-field.ts'
import { exampleMapping, mappingFields, onQuestionField } from './mapping-fields.ts'
import { readSourceBody } from './read-source-body.ts'
import { optionalOptions } from './source-body.ts'
import { RELOAD_PROBLEMS } from './source-problems.ts'
import { requestMessages } from '../../request-messages.ts'

/** What a reload can be asked with. */
export const reloadMembers = {
  mode: Type.Optional(
    Type.Enum(LOAD_MODES, {
      description: 'What becomes of the rows that are there; default replace',
    }),
  ),
  key: keyField(
    'Header of the column that tells rows apart; with the mode upsert. A row that leaves it ' +
      'empty is invalid',
  ),
  options: optionalOptions,
  ...mappingFields,
  onQuestion: onQuestionField,
  publish: Type.Optional(
    Type.Boolean({
      description:
        'False: the rows are loaded beside those that are shown, and wait to be published',
    }),
  ),
}
const newRows = { mode: 'upsert' as const, key: 'Client' }
const reloadFields = named('SourceReload', strictObject(reloadMembers), {
  'from-where-it-came': {},
  'with-other-options': { mode: 'replace', options: exampleOptions },
  'upsert-by-key': newRows,
  'look-before-publishing': { publish: false },
  mapped: { mapping: exampleMapping, onQuestion: 'refuse' },
})
const reloadForm = named(
  'SourceReloadForm',
  strictObject({ ...reloadMembers, file: Type.Optional(Type.String({ format: 'binary' })) }),
  {
    'another-file': { file: EXAMPLE_CSV },
    append: { mode: 'append', options: exampleOptions, file: EXAMPLE_CSV },
    'upsert-by-key': { ...newRows, file: EXAMPLE_CSV },
  },
)

export const reloadSource = defineRoute(
  {
    method: 'post',
    path: '/sources/:uuid/reload',
    access: ACCESS_TO_WORK['source.reload'],
    tag: 'sources',
    summary: 'Load a source again, from where it came or from another file',
    audit: 'source.reload',
    description:
      'The rows are loaded beside those that are shown, and shown at once when all of them are ' +
      'there; a reload that fails leaves all as it was. The table stays itself, with the grants, ' +
      'views and indexes that others gave it. Without a file the stored upload, the document, the form or the ' +
      'card is read again, with the options of the last time unless others are given. Columns ' +
      'that were added, removed or retyped are in `report.drift`. How the headers meet the columns of ' +
      'the shape is decided by name, and by what was said before; what only people can know is asked: ' +
      'then the load is staged, with `questions`. Rows that are appended or ' +
      'upserted do not change which file a later reload reads.',
    params: sourcePath,
    headers: IF_MATCH_OF_LOAD,
    streams: { 'multipart/form-data': reloadForm, 'application/json': reloadFields },
    // Without a body, the origin is read again.
    bodyRequired: false,
    responses: {
      200: {
        description:
          'The source as it is now; with `publish: false`, or where a question is open, the load ' +
          'that was staged',
        schema: Type.Union([sourceSchema, loadSchema]),
        shows: ['loaded'],
      },
    },
    problems: [...RELOAD_PROBLEMS, MappingQuestionException, ShapeChangedException],
    longRunning: 'source.reload',
    place: 'uploads',
  },
  async (request, services) => {
    const { actor, params, check, header } = request
    // Checked before anything is read or recorded, so that a request for what is out of scope
    // leaves no trace.
    await services.sources.locate(actor, params.uuid)
    const body = await readSourceBody(request)
    const given = check(reloadFields, body.fields)
    const reload: Reload = {
      mode: modeOf(given),
      options: given.options,
      publishes: given.publish ?? true,
      mapping: given.mapping,
      remember: given.remember,
      onQuestion: given.onQuestion,
      seen: tagsIn(header('if-match')),
      origin: body.file === null ? undefined : { kind: 'upload', incoming: body.file },
    }
    return respondAsJob(request, services, 'source.reload', { uuid: params.uuid, reload })
  },
)

export function modeOf({
  mode = 'replace',
  ...given
}: Pick<Static<typeof reloadFields>, 'mode' | 'key'>): LoadMode {
  const key = givenKey(given.key)
  if (mode === 'upsert' && key !== undefined) return { kind: mode, key }
  if (mode !== 'upsert' && key === undefined) return { kind: mode }
  const { keyRequired, keyUpsertOnly } = requestMessages
  throw invalidField('/key', key === undefined ? keyRequired() : keyUpsertOnly())
}
