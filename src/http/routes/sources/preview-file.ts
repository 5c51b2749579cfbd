import { Type } from 'typebox'

import type { PreviewOrigin } from '../../../domain/sources/sources.ts'
import {
  DocumentNotFoundException,
  invalidField,
  PageTooLargeException,
  ShapeNotFoundException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { EXAMPLE_CSV, exampleOptions } from '../../presenters/example-table.ts'
import { exampleDocument } from '../../presenters/present-document.ts'
import { exampleShape } from '../../presenters/present-shape.ts'
import {
  presentSourcePreview,
  sourcePreviewSchema,
} from '../../presenters/present-source-preview.ts'
import { named, strictObject, uuid } from '../../schemas.ts'
import { mappingFields } from './mapping-fields.ts'
import { pointedIntoBody } from './pointed-into-body.ts'
import { fileRequired, readSourceBody } from './read-source-body.ts'
import { optionalOptions } from './source-body.ts'
import { FILE_PROBLEMS } from './source-problems.ts'
import { requestMessages } from '../../request-messages.ts'

const { mapping } = mappingFields
const shapeUuid = Type.Optional(
  uuid('A shape whose columns the headers are to meet', exampleShape.uuid),
)
const fields = {
  options: optionalOptions,
  shapeUuid,
  mapping,
  documentUuid: Type.Optional(uuid('A stored document, in the place of a file')),
}
const previewFields = named('NewPreview', strictObject(fields), {
  document: { documentUuid: exampleDocument.uuid },
  'with-options': { documentUuid: exampleDocument.uuid, options: exampleOptions },
})

const limit = Type.Integer({ minimum: 1, maximum: 100, default: 20 })

export const previewFile = defineRoute(
  {
    method: 'post',
    path: '/sources/preview',
    access: 'admin',
    tag: 'sources',
    summary: 'Preview what a file or a stored document would become',
    description:
      'The same headers and types that a source made of it will have, with the evidence for each ' +
      'column. Bad cells are shown as null and counted. Nothing is stored.',
    query: strictObject({ limit }),
    streams: {
      'multipart/form-data': named(
        'NewPreviewForm',
        strictObject({
          options: optionalOptions,
          shapeUuid,
          mapping,
          file: Type.String({ format: 'binary' }),
        }),
        {
          file: { file: EXAMPLE_CSV },
          'with-options': { options: exampleOptions, file: EXAMPLE_CSV },
        },
      ),
      'application/json': previewFields,
    },
    responses: {
      200: { description: 'The first rows', schema: sourcePreviewSchema, shows: ['file'] },
    },
    problems: [
      DocumentNotFoundException,
      ShapeNotFoundException,
      PageTooLargeException,
      ...FILE_PROBLEMS,
    ],
    place: 'previews',
  },
  async (request, { sources }) => {
    const { actor, query, signal, check, incoming, writeJson } = request
    const { fields: sent, file } = await readSourceBody(request)
    const { options = {}, documentUuid, ...expecting } = check(previewFields, sent)
    const previewOf = (origin: PreviewOrigin) =>
      sources
        .preview(actor, origin, { options, ...expecting, limit: query.limit, signal })
        .catch((error: unknown) => {
          throw pointedIntoBody(error)
        })
    if (file === null) {
      if (documentUuid === undefined) throw fileRequired(request)
      const { preview, shape } = await previewOf({ kind: 'document', documentUuid })
      return presentSourcePreview(preview, writeJson, shape)
    }
    if (documentUuid !== undefined) throw twoOrigins()
    const { preview, shape } = await previewOf({ kind: 'upload', incoming: file })
    // The rest of the upload is not needed, but the client has to be allowed to finish.
    incoming.unpipe()
    incoming.resume()
    return presentSourcePreview(preview, writeJson, shape)
  },
)

function twoOrigins() {
  return invalidField('/documentUuid', requestMessages.excludesFile())
}
