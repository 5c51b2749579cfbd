import { Type } from 'typebox'

import type { PreviewOrigin } from '../../../domain/sources/sources.ts'
import {
  DocumentNotFoundException,
  invalidField,
  PageTooLargeException,
  SourceNotFoundException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { EXAMPLE_CSV } from '../../presenters/example-table.ts'
import { exampleDocument } from '../../presenters/present-document.ts'
import {
  presentSourcePreview,
  sourcePreviewSchema,
} from '../../presenters/present-source-preview.ts'
import { sourcePath } from '../../presenters/present-source.ts'
import { requestMessages } from '../../request-messages.ts'
import { named, strictObject, uuid } from '../../schemas.ts'
import { exampleMapping, mappingFields } from './mapping-fields.ts'
import { pointedIntoBody } from './pointed-into-body.ts'
import { readSourceBody } from './read-source-body.ts'
import { optionalOptions } from './source-body.ts'
import { FILE_PROBLEMS, RESOURCE_PROBLEMS } from './source-problems.ts'

const { mapping } = mappingFields
const fields = {
  options: optionalOptions,
  mapping,
  documentUuid: Type.Optional(uuid('A stored document, in the place of a file')),
}
const previewFields = named('SourcePreviewRequest', strictObject(fields), {
  'from-where-it-came': {},
  document: { documentUuid: exampleDocument.uuid, mapping: exampleMapping },
})

const limit = Type.Integer({ minimum: 1, maximum: 100, default: 20 })

export const previewForSource = defineRoute(
  {
    method: 'post',
    path: '/sources/:uuid/preview',
    access: 'admin',
    tag: 'sources',
    summary: 'Preview what a file would become in a source that is there',
    description:
      'How its headers meet the columns of the shape (`mapping`), which columns have none ' +
      '(`missing`), and what only people can know (`questions`), besides what `POST ' +
      '/sources/preview` shows. Without a file it reads from where the source came. Nothing is ' +
      'stored.',
    params: sourcePath,
    query: strictObject({ limit }),
    streams: {
      'multipart/form-data': named(
        'SourcePreviewForm',
        strictObject({
          options: optionalOptions,
          mapping,
          file: Type.Optional(Type.String({ format: 'binary' })),
        }),
        { file: { file: EXAMPLE_CSV }, mapped: { mapping: exampleMapping, file: EXAMPLE_CSV } },
      ),
      'application/json': previewFields,
    },
    bodyRequired: false,
    responses: {
      200: { description: 'The first rows', schema: sourcePreviewSchema, shows: ['mapped'] },
    },
    problems: [
      SourceNotFoundException,
      DocumentNotFoundException,
      PageTooLargeException,
      ...FILE_PROBLEMS,
      ...RESOURCE_PROBLEMS,
    ],
    place: 'previews',
  },
  async (request, { sources }) => {
    const { actor, params, query, signal, check, incoming, writeJson } = request
    await sources.locate(actor, params.uuid)
    const { fields: sent, file } = await readSourceBody(request)
    const { documentUuid, ...given } = check(previewFields, sent)
    if (file !== null && documentUuid !== undefined) {
      throw invalidField('/documentUuid', requestMessages.excludesFile())
    }
    const origin: PreviewOrigin | null =
      file !== null
        ? { kind: 'upload', incoming: file }
        : documentUuid === undefined
          ? null
          : { kind: 'document', documentUuid }
    const { preview, shape } = await sources
      .previewFor(actor, params.uuid, origin, { ...given, limit: query.limit, signal })
      .catch((error: unknown) => {
        throw pointedIntoBody(error)
      })
    if (file !== null) {
      // The rest of the upload is not needed, but the client has to be allowed to finish.
      incoming.unpipe()
      incoming.resume()
    }
    return presentSourcePreview(preview, writeJson, shape)
  },
)
