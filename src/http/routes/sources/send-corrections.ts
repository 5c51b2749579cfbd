import { Type } from 'typebox'

import { ACCESS_TO_WORK } from '../../../domain/long-work.ts'
import {
  fieldMessages,
  invalidField,
  MappingQuestionException,
  ShapeChangedException,
} from '../../../errors/index.ts'
import type { SentCorrections } from '../../../domain/sources/sources.ts'
import { defineRoute } from '../../define-route.ts'
import { EXAMPLE_REJECTS_CSV } from '../../presenters/example-table.ts'
import { loadSchema } from '../../presenters/present-load.ts'
import { sourcePath, sourceSchema } from '../../presenters/present-source.ts'
import { respondAsJob } from '../../respond-as-job.ts'
import { named, strictObject } from '../../schemas.ts'
import { IF_MATCH_OF_LOAD, tagsIn } from '../shapes/shape-tag.ts'
import { givenKey, keyField } from './key-field.ts'
import { mappingFields, onQuestionField } from './mapping-fields.ts'
import { readSourceBody } from './read-source-body.ts'
import { CORRECTION_PROBLEMS } from './source-problems.ts'

const key = keyField('Header of a key column: rows whose key is there are replaced')

const CORRECTED = EXAMPLE_REJECTS_CSV.replace(',31/02/2026,', ',28/02/2026,')

const members = { key, ...mappingFields, onQuestion: onQuestionField }
const correctionFields = strictObject(members)

export const sendCorrections = defineRoute(
  {
    method: 'post',
    path: '/sources/:uuid/rejects',
    access: ACCESS_TO_WORK['source.rejects'],
    tag: 'sources',
    summary: 'Send corrected rejects into their source',
    audit: 'source.rejects',
    description:
      'Takes the CSV or the workbook that GET /sources/:uuid/rejects gives with `format=csv` or ' +
      '`format=xlsx`, corrected; its column of ' +
      'reasons is left out. The rows are added to the source. Each stands for the reject whose ' +
      'number it has; what is rejected again takes its place, and one that was corrected before ' +
      'is left out. Without the column of numbers the file stands for all rejects. The same file ' +
      'again changes nothing. Headers meet the columns of the shape as in a reload: what only people ' +
      'can know is asked, and the load staged.',
    params: sourcePath,
    headers: IF_MATCH_OF_LOAD,
    streams: {
      'multipart/form-data': named(
        'CorrectionsForm',
        strictObject({ ...members, file: Type.String({ format: 'binary' }) }),
        { append: { file: CORRECTED }, 'replace-by-key': { key: 'Client', file: CORRECTED } },
      ),
    },
    responses: {
      200: {
        description: 'The source as it is now; where a question is open, the load that was staged',
        schema: Type.Union([sourceSchema, loadSchema]),
        shows: ['loaded'],
      },
    },
    problems: [...CORRECTION_PROBLEMS, MappingQuestionException, ShapeChangedException],
    longRunning: 'source.rejects',
    place: 'uploads',
  },
  async (request, services) => {
    const { actor, params, check, header } = request
    // Checked before anything is read or recorded, so that a request for what is out of scope
    // leaves no trace.
    await services.sources.locate(actor, params.uuid)
    const body = await readSourceBody(request)
    const given = check(correctionFields, body.fields)
    if (body.file === null) throw invalidField('/file', fieldMessages.required())
    const mended: SentCorrections = {
      key: givenKey(given.key),
      mapping: given.mapping,
      remember: given.remember,
      onQuestion: given.onQuestion,
      seen: tagsIn(header('if-match')),
      origin: { kind: 'upload', incoming: body.file },
    }
    return respondAsJob(request, services, 'source.rejects', { uuid: params.uuid, mended })
  },
)
