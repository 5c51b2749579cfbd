import { Readable } from 'node:stream'

import { Type } from 'typebox'

import { csvTemplate, TEMPLATE_FORMATS, xlsxTemplate } from '../../../domain/shapes/template.ts'
import { ShapeNotFoundException } from '../../../errors/index.ts'
import { attachmentDisposition } from '../../../storage/content-disposition.ts'
import type { Language, Message } from '../../../../pipelines/index.ts'
import type { FileShape } from '../../../resources/shape.ts'
import { defineRoute, Reply, type ResponseSpec } from '../../define-route.ts'
import { ATTACHMENT } from '../../openapi/headers.ts'
import { shapePath } from '../../presenters/present-shape.ts'
import { strictObject } from '../../schemas.ts'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export const TEMPLATE_RESPONSE: ResponseSpec = {
  description: 'The file',
  files: { [XLSX]: null, 'text/csv': 'Client;Date de vente;Montant TTC\r\n' },
  headers: ATTACHMENT,
}

interface Asking {
  readonly language: Language
  readonly say: (message: Message) => string
}

export async function answerTemplate(
  shape: Pick<FileShape, 'name' | 'columns'>,
  format: (typeof TEMPLATE_FORMATS)[number],
  { language, say }: Asking,
): Promise<Reply> {
  const isCsv = format === 'csv'
  const file = isCsv ? csvTemplate(shape) : await xlsxTemplate(shape, say)
  return new Reply(200, Readable.from([file]), {
    'content-type': isCsv ? 'text/csv; charset=utf-8' : XLSX,
    'content-language': language,
    'content-disposition': attachmentDisposition(`${shape.name ?? 'template'}.${format}`),
  })
}

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
    responses: { 200: TEMPLATE_RESPONSE },
    problems: [ShapeNotFoundException],
  },
  async (request, { shapes }) => {
    const { actor, params, query } = request
    return answerTemplate(await shapes.find(actor, params.uuid), query.format, request)
  },
)
