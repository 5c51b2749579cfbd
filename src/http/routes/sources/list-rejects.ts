import { Type } from 'typebox'

import { type Reject, REJECTS_FORMATS } from '../../../domain/sources/sources.ts'
import {
  PageTooLargeException,
  ShareExceededException,
  SourceBusyException,
  SourceInUseException,
  SourceLoadNotFoundException,
  SourceNotFoundException,
} from '../../../errors/index.ts'
import { attachmentDisposition } from '../../../storage/content-disposition.ts'
import { defineRoute, JsonText, Reply } from '../../define-route.ts'
import { ATTACHMENT } from '../../openapi/headers.ts'
import { EXAMPLE_REJECTS_CSV, exampleReject } from '../../presenters/example-table.ts'
import { stagedLoad } from '../../presenters/present-load.ts'
import { sourcePath } from '../../presenters/present-source.ts'
import { listOf, named, pageQuery, presentPage, spoken, strictObject, uuid } from '../../schemas.ts'
import { recalledText, ruleOf } from '../../../../pipelines/index.ts'

const rejectSchema = named(
  'Reject',
  strictObject({
    id: Type.Integer({ description: 'Tells it from all others of the source' }),
    row: Type.Integer({ description: 'Data row, from 1' }),
    line: Type.Optional(Type.Integer({ description: 'Line of the file, from 1' })),
    column: Type.Optional(Type.String()),
    value: Type.Optional(Type.String()),
    message: spoken(),
    rule: Type.Optional(Type.String({ description: 'The rule that it breaks' })),
    raw: Type.String({ description: 'The row as the input wrote it' }),
  }),
  { date: exampleReject },
)

export const listRejects = defineRoute(
  {
    method: 'get',
    path: '/sources/:uuid/rejects',
    access: 'admin',
    tag: 'sources',
    summary: 'List the rows that a load skipped, or download them as CSV or XLSX',
    description:
      'With `format=csv` or `format=xlsx` all of them come as a table: the reason and the number of the reject ' +
      'first, then the cells under their headers, ready to be corrected and sent to ' +
      'POST /sources/:uuid/rejects.',
    params: sourcePath,
    query: strictObject({
      ...pageQuery(20),
      load: Type.Optional(
        uuid('As JSON: those of this load, which waits to be published', stagedLoad.uuid),
      ),
      format: Type.Enum(['json', ...REJECTS_FORMATS], { default: 'json' }),
    }),
    responses: {
      200: {
        description: 'A page of rejects, or all of them as a file',
        schema: listOf('RejectList', rejectSchema),
        files: {
          'text/csv': EXAMPLE_REJECTS_CSV,
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': null,
        },
        headers: ATTACHMENT,
      },
    },
    problems: [
      SourceNotFoundException,
      SourceLoadNotFoundException,
      SourceBusyException,
      SourceInUseException,
      PageTooLargeException,
      ShareExceededException,
    ],
  },
  async ({ actor, language, params, query, say, writeJson, signal }, { sources }) => {
    if (query.format === 'json') {
      const rejects = await sources.readRejects(actor, params.uuid, query, signal)
      return new JsonText(writeJson(presentPage(rejects, query, presentReject)))
    }
    const { stream, contentType, filename } = await sources.exportRejects(
      actor,
      params.uuid,
      query.format,
      say,
      signal,
    )
    return new Reply(200, stream, {
      'content-type': contentType,
      'content-language': language,
      'content-disposition': attachmentDisposition(filename),
    })
  },
)

function presentReject({ id, row, line, column, value, message, raw }: Reject) {
  const told = recalledText(message)
  const rule = ruleOf(told)
  return {
    id,
    row,
    ...(line !== null && { line }),
    ...(column !== null && { column }),
    ...(value !== null && { value }),
    message: told,
    ...(rule !== null && { rule }),
    raw,
  }
}
