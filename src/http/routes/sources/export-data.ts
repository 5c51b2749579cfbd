import { Type } from 'typebox'

import { EXPORT_FORMATS } from '../../../domain/sources/sources.ts'
import { SourceBusyException, SourceNotFoundException } from '../../../errors/index.ts'
import { attachmentDisposition } from '../../../content-disposition.ts'
import { defineRoute, Reply } from '../../define-route.ts'
import { ATTACHMENT } from '../../openapi/headers.ts'
import { sourcePath } from '../../presenters/present-source.ts'
import { strictObject } from '../../schemas.ts'

const EXPORTS: Readonly<Record<string, string | null>> = {
  'text/csv': 'Date,Client,Montant TTC,Payé\r\n2026-03-03,Galerie Martin,1240.50,true\r\n',
  'application/x-ndjson':
    '{"Date":"2026-03-03","Client":"Galerie Martin","Montant TTC":1240.50,"Payé":true}\n',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': null,
}

export const exportSourceData = defineRoute(
  {
    method: 'get',
    path: '/sources/:uuid/export',
    access: 'admin',
    tag: 'sources',
    summary: 'Export the rows of a source as CSV, NDJSON or XLSX',
    description:
      'Streamed, in the order of the source, from one state of the table. `neutralise` puts an ' +
      'apostrophe before text in a CSV that a spreadsheet would run as a formula; it changes ' +
      'data, so it is off. In a workbook numbers that Excel would round are text, text is cut at ' +
      '32,767 characters, and rows past 1,048,575 go on in further sheets.',
    params: sourcePath,
    query: strictObject({
      format: Type.Enum(EXPORT_FORMATS, { default: 'csv' }),
      neutralise: Type.Boolean({ default: false }),
    }),
    responses: {
      200: {
        description: 'The file, in the format that was asked for',
        files: EXPORTS,
        headers: ATTACHMENT,
      },
    },
    problems: [SourceNotFoundException, SourceBusyException],
    place: 'exports',
  },
  async ({ actor, params, query, signal }, { sources }) => {
    const { stream, contentType, filename } = await sources.export(
      actor,
      params.uuid,
      query,
      signal,
    )
    return new Reply(200, stream, {
      'content-type': contentType,
      'content-disposition': attachmentDisposition(filename),
    })
  },
)
