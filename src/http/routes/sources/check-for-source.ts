import { Type } from 'typebox'

import {
  DocumentNotFoundException,
  FileBackTooLargeException,
  invalidField,
  SourceInUseException,
  SourceNotFoundException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { EXAMPLE_CSV } from '../../presenters/example-table.ts'
import { exampleDocument } from '../../presenters/present-document.ts'
import { sourcePath } from '../../presenters/present-source.ts'
import { requestMessages } from '../../request-messages.ts'
import { named, strictObject, uuid } from '../../schemas.ts'
import { exampleMapping } from './mapping-fields.ts'
import { answerCheck, backOf, CHECK_RESPONSE, FILE_BACK_TOLD } from './answer-check.ts'
import { pointedIntoBody } from './pointed-into-body.ts'
import { readSourceBody } from './read-source-body.ts'
import { modeOf, reloadMembers } from './reload-source.ts'
import { FILE_PROBLEMS, RESOURCE_PROBLEMS } from './source-problems.ts'

const checkFields = named(
  'SourceCheck',
  strictObject({
    ...reloadMembers,
    documentUuid: Type.Optional(uuid('A stored document, in the place of a file')),
  }),
  {
    'from-where-it-came': {},
    document: { documentUuid: exampleDocument.uuid, mapping: exampleMapping },
  },
)

export const checkForSource = defineRoute(
  {
    method: 'post',
    path: '/sources/:uuid/check',
    access: 'admin',
    tag: 'sources',
    summary: 'Check a file before it is loaded into a source',
    description:
      'Takes the fields of a reload. The whole file is read, and everything that is wrong with it ' +
      'is found at once: structure, types, and the rules of the shape, counted by rule. Without a ' +
      'file it reads from where the source came. Nothing is loaded, and nothing of the file is kept. ' +
      FILE_BACK_TOLD,
    params: sourcePath,
    streams: {
      'multipart/form-data': named(
        'SourceCheckForm',
        strictObject({ ...reloadMembers, file: Type.Optional(Type.String({ format: 'binary' })) }),
        { file: { file: EXAMPLE_CSV }, append: { mode: 'append', file: EXAMPLE_CSV } },
      ),
      'application/json': checkFields,
    },
    bodyRequired: false,
    responses: { 200: CHECK_RESPONSE },
    problems: [
      SourceNotFoundException,
      SourceInUseException,
      DocumentNotFoundException,
      FileBackTooLargeException,
      ...FILE_PROBLEMS,
      ...RESOURCE_PROBLEMS,
    ],
    place: 'uploads',
  },
  async (request, { sources }) => {
    const { actor, params, signal, check } = request
    await sources.locate(actor, params.uuid)
    const { fields, file } = await readSourceBody(request)
    const { documentUuid, options, mapping, ...given } = check(checkFields, fields)
    if (file !== null && documentUuid !== undefined) {
      throw invalidField('/documentUuid', requestMessages.excludesFile())
    }
    const document = documentUuid === undefined ? null : { kind: 'document' as const, documentUuid }
    const origin = file === null ? document : { kind: 'upload' as const, incoming: file }
    const judged = await sources
      .checkFor(actor, params.uuid, origin, {
        options,
        mapping,
        mode: modeOf(given),
        signal,
        back: backOf(request),
      })
      .catch((error: unknown) => {
        throw pointedIntoBody(error)
      })
    return answerCheck(judged, request.language)
  },
)
