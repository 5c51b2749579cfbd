import { Type } from 'typebox'

import {
  DocumentNotFoundException,
  FileBackTooLargeException,
  invalidField,
  ShapeNotFoundException,
  SourceInUseException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { EXAMPLE_CSV } from '../../presenters/example-table.ts'
import { exampleDocument } from '../../presenters/present-document.ts'
import { exampleShape } from '../../presenters/present-shape.ts'
import { requestMessages } from '../../request-messages.ts'
import { named, strictObject, uuid } from '../../schemas.ts'
import { answerCheck, backOf, CHECK_RESPONSE, FILE_BACK_TOLD } from './answer-check.ts'
import { pointedIntoBody } from './pointed-into-body.ts'
import { fileRequired, readSourceBody } from './read-source-body.ts'
import { creationMembers } from './source-body.ts'
import { FILE_PROBLEMS } from './source-problems.ts'

const checkFields = named(
  'NewCheck',
  strictObject({
    ...creationMembers,
    documentUuid: Type.Optional(uuid('A stored document, in the place of a file')),
  }),
  { document: { documentUuid: exampleDocument.uuid, shapeUuid: exampleShape.uuid } },
)

export const checkFile = defineRoute(
  {
    method: 'post',
    path: '/sources/check',
    access: 'admin',
    tag: 'sources',
    summary: 'Check a file before a source is made of it',
    description:
      'Takes the fields of a creation. The whole file is read, and everything that is wrong with it ' +
      'is found at once: structure, types, and the rules of the shape, counted by rule. Nothing is ' +
      'loaded, and nothing of the file is kept. ' +
      FILE_BACK_TOLD,
    streams: {
      'multipart/form-data': named(
        'NewCheckForm',
        strictObject({ ...creationMembers, file: Type.String({ format: 'binary' }) }),
        { 'of-a-shape': { shapeUuid: exampleShape.uuid, file: EXAMPLE_CSV } },
      ),
      'application/json': checkFields,
    },
    responses: { 200: CHECK_RESPONSE },
    problems: [
      DocumentNotFoundException,
      SourceInUseException,
      ShapeNotFoundException,
      FileBackTooLargeException,
      ...FILE_PROBLEMS,
    ],
    place: 'uploads',
  },
  async (request, { sources }) => {
    const { actor, signal, check } = request
    const { fields, file } = await readSourceBody(request)
    const { options = {}, shapeUuid, mapping, documentUuid } = check(checkFields, fields)
    if (file === null && documentUuid === undefined) throw fileRequired(request)
    if (file !== null && documentUuid !== undefined) {
      throw invalidField('/documentUuid', requestMessages.excludesFile())
    }
    const origin =
      file === null
        ? { kind: 'document' as const, documentUuid: documentUuid! }
        : { kind: 'upload' as const, incoming: file }
    const judged = await sources
      .check(actor, origin, { options, shapeUuid, mapping, signal, back: backOf(request) })
      .catch((error: unknown) => {
        throw pointedIntoBody(error)
      })
    return answerCheck(judged, request.language)
  },
)
