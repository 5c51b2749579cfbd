import { Readable } from 'node:stream'

import { Type } from 'typebox'

import { csvTemplate, TEMPLATE_FORMATS, xlsxTemplate } from '../../../domain/shapes/template.ts'
import { ShapeNotFoundException } from '../../../errors/index.ts'
import { attachmentDisposition } from '../../../storage/content-disposition.ts'
import { defineRoute, Reply } from '../../define-route.ts'
import { ATTACHMENT } from '../../openapi/headers.ts'
import { shapePath } from '../../presenters/present-shape.ts'
import { strictObject } from '../../schemas.ts'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export const showTemplate = defineRoute(
  {
    method: 'get',
    path: '/shapes/:uuid/template',
    access: 'admin',
    tag: 'shapes',
    summary: 'Download a file to fill in',
    description:
      'The header of the shape; as XLSX with the formats of its types, drop-downs for `oneOf`, and a ' +
      'note for each column that says what its rules ask.',
    params: shapePath,
    query: strictObject({ format: Type.Enum(TEMPLATE_FORMATS, { default: 'xlsx' }) }),
    responses: {
      200: {
        description: 'The file',
        files: { [XLSX]: null, 'text/csv': 'Client;Date de vente;Montant TTC\r\n' },
        headers: ATTACHMENT,
      },
    },
    problems: [ShapeNotFoundException],
  },
  async ({ actor, language, params, query, say }, { shapes }) => {
    const shape = await shapes.find(actor, params.uuid)
    const isCsv = query.format === 'csv'
    const file = isCsv ? csvTemplate(shape) : await xlsxTemplate(shape, say)
    return new Reply(200, Readable.from([file]), {
      'content-type': isCsv ? 'text/csv; charset=utf-8' : XLSX,
      'content-language': language,
      'content-disposition': attachmentDisposition(`${shape.name ?? 'template'}.${query.format}`),
    })
  },
)
