import { Type } from 'typebox'

import { type CsvWording, EXPORT_FORMATS } from '../../../domain/sources/sources.ts'
import {
  SourceBusyException,
  SourceInUseException,
  SourceNotFoundException,
} from '../../../errors/index.ts'
import { attachmentDisposition } from '../../../storage/content-disposition.ts'
import { defineRoute, Reply } from '../../define-route.ts'
import { ATTACHMENT } from '../../openapi/headers.ts'
import { sourcePath } from '../../presenters/present-source.ts'
import { strictObject } from '../../schemas.ts'
import { columnsQuery, filterQuery, orderQuery, readFilters } from './row-filters.ts'

const EXPORTS: Readonly<Record<string, string | null>> = {
  'text/csv': 'Date,Client,Montant TTC,Payé\r\n2026-03-03,Galerie Martin,1240.50,true\r\n',
  'application/x-ndjson':
    '{"Date":"2026-03-03","Client":"Galerie Martin","Montant TTC":1240.50,"Payé":true}\n',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': null,
  'application/vnd.apache.parquet': null,
}

const CSV_PRESETS = ['excel-fr'] as const

type CsvWriting = Pick<CsvWording, 'delimiter' | 'decimal' | 'bom'>

const PLAIN_CSV: CsvWriting = { delimiter: ',', decimal: '.', bom: false }

const PRESETS: Readonly<Record<(typeof CSV_PRESETS)[number], CsvWriting>> = {
  'excel-fr': { delimiter: ';', decimal: ',', bom: true },
}

export const exportSourceData = defineRoute(
  {
    method: 'get',
    path: '/sources/:uuid/export',
    access: 'admin',
    tag: 'sources',
    summary: 'Export the rows of a source as CSV, NDJSON, XLSX or Parquet',
    description:
      'Streamed, from one state of the table, in the order of the source, or of the column that `sort` ' +
      'names, which PostgreSQL sorts before the first row goes out; with `filter`, the rows that ' +
      'pass. `neutralise` puts an ' +
      'apostrophe before text in a CSV that a spreadsheet would run as a formula; it changes ' +
      'data, so it is off. `delimiter`, `decimal` and `bom` (a byte order mark) say how a CSV is ' +
      'written; `preset=excel-fr` is a semicolon, a comma and the mark, as a French Excel expects it, ' +
      'and what is said besides wins. In a workbook numbers that Excel would round are text, text is cut at ' +
      '32,767 characters, and rows past 1,048,575 go on in further sheets. Parquet has the types of the ' +
      'table: INT64, DECIMAL with all digits (text where a column needs more than 38), BOOLEAN, DATE, ' +
      'TIMESTAMP in microseconds of UTC, STRING and JSON.',
    params: sourcePath,
    query: strictObject({
      format: Type.Enum(EXPORT_FORMATS, { default: 'csv' }),
      neutralise: Type.Boolean({ default: false }),
      preset: Type.Optional(Type.Enum(CSV_PRESETS)),
      delimiter: Type.Optional(Type.Enum([',', ';', '\t', '|'])),
      decimal: Type.Optional(Type.Enum(['.', ','])),
      bom: Type.Optional(Type.Boolean()),
      columns: columnsQuery,
      ...orderQuery,
      filter: filterQuery,
    }),
    responses: {
      200: {
        description: 'The file, in the format that was asked for',
        files: EXPORTS,
        headers: ATTACHMENT,
      },
    },
    problems: [SourceNotFoundException, SourceBusyException, SourceInUseException],
    place: 'exports',
  },
  async ({ actor, params, query, signal }, { sources }) => {
    const { preset, filter, columns, ...said } = query
    const { stream, contentType, filename } = await sources.export(
      actor,
      params.uuid,
      {
        ...PLAIN_CSV,
        ...(preset && PRESETS[preset]),
        ...said,
        columns: columns === undefined ? undefined : [columns].flat(),
        filters: readFilters(filter),
      },
      signal,
    )
    return new Reply(200, stream, {
      'content-type': contentType,
      'content-disposition': attachmentDisposition(filename),
    })
  },
)
