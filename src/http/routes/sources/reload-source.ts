import { type Static, Type } from 'typebox'

import type { LoadMode } from '../../../../pipelines/index.ts'
import type { Reload } from '../../../domain/sources/sources.ts'
import { invalidField } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { EXAMPLE_CSV, exampleOptions } from '../../presenters/example-table.ts'
import { sourcePath, sourceSchema } from '../../presenters/present-source.ts'
import { respondAsJob } from '../../respond-as-job.ts'
import { named, strictObject } from '../../schemas.ts'
import { givenKey, keyField } from './key-field.ts'
import { readSourceBody } from './read-source-body.ts'
import { optionalOptions } from './source-body.ts'
import { RELOAD_PROBLEMS } from './source-problems.ts'
import { requestMessages } from '../../request-messages.ts'

const fields = {
  mode: Type.Optional(
    Type.Enum(['replace', 'append', 'upsert'], {
      description: 'What becomes of the rows that are there; default replace',
    }),
  ),
  key: keyField(
    'Header of the column that tells rows apart; with the mode upsert. A row that leaves it ' +
      'empty is invalid',
  ),
  options: optionalOptions,
}
const newRows = { mode: 'upsert' as const, key: 'Client' }
const reloadFields = named('SourceReload', strictObject(fields), {
  'from-where-it-came': {},
  'with-other-options': { mode: 'replace', options: exampleOptions },
  'upsert-by-key': newRows,
})
const reloadForm = named(
  'SourceReloadForm',
  strictObject({ ...fields, file: Type.Optional(Type.String({ format: 'binary' })) }),
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
    access: 'admin',
    tag: 'sources',
    summary: 'Load a source again, from where it came or from another file',
    description:
      'The rows are loaded beside the old ones and swapped in at once; a reload that fails leaves ' +
      'the old data as it was. Without a file the stored upload, the document, the form or the ' +
      'card is read again, with the options of the last time unless others are given. Columns ' +
      'that were added, removed or retyped are in `report.drift`. Rows that are appended or ' +
      'upserted do not change which file a later reload reads.',
    params: sourcePath,
    streams: { 'multipart/form-data': reloadForm, 'application/json': reloadFields },
    // No body at all reads the origin again.
    bodyRequired: false,
    responses: {
      200: { description: 'The source as it is now', schema: sourceSchema, shows: ['loaded'] },
    },
    problems: RELOAD_PROBLEMS,
    longRunning: 'source.reload',
    heavy: true,
  },
  async (request, services) => {
    const { actor, params, check } = request
    // Before anything is read or recorded: what is out of scope leaves no trace.
    await services.sources.find(actor, params.uuid)
    const body = await readSourceBody(request)
    const given = check(reloadFields, body.fields)
    const reload: Reload = {
      mode: modeOf(given),
      options: given.options,
      origin: body.file === null ? undefined : { kind: 'upload', incoming: body.file },
    }
    return respondAsJob(request, services, 'source.reload', { uuid: params.uuid, reload })
  },
)

function modeOf({ mode = 'replace', ...given }: Static<typeof reloadFields>): LoadMode {
  const key = givenKey(given.key)
  if (mode === 'upsert' && key !== undefined) return { kind: mode, key }
  if (mode !== 'upsert' && key === undefined) return { kind: mode }
  const { keyRequired, keyUpsertOnly } = requestMessages
  throw invalidField('/key', key === undefined ? keyRequired() : keyUpsertOnly())
}
