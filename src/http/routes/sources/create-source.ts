import type { Access } from '../../../domain/actor.ts'
import { ACCESS_TO_WORK } from '../../../domain/long-work.ts'
import type { NewSource } from '../../../domain/sources/sources.ts'
import { invalidField } from '../../../errors/index.ts'
import { defineRoute, type RouteRequest } from '../../define-route.ts'
import { sourceSchema } from '../../presenters/present-source.ts'
import { respondAsJob } from '../../respond-as-job.ts'
import { IF_MATCH_OF_LOAD, tagsIn } from '../shapes/shape-tag.ts'
import { beforeFile, fileRequired, readSourceBody } from './read-source-body.ts'
import { resourceOf } from './resource-of.ts'
import {
  newApiSource,
  newDocumentSource,
  newFileSource,
  newFileSourceForm,
  newJsonSource,
} from './source-body.ts'
import { CREATION_PROBLEMS } from './source-problems.ts'
import { validationMessages } from '../../validation-messages.ts'

export const createSource = defineRoute(
  {
    method: 'post',
    path: '/sources',
    access: ACCESS_TO_WORK['source.create'],
    tag: 'sources',
    summary: 'Create a source from a file, a stored document, a form or a card',
    audit: 'source.create',
    description:
      'The content becomes a typed table, `tableName`, in the schema of the enterprise. A file is ' +
      'read while it is uploaded. All or nothing: a creation that fails leaves no source, no ' +
      'table and no file.',
    headers: IF_MATCH_OF_LOAD,
    streams: { 'multipart/form-data': newFileSourceForm, 'application/json': newJsonSource },
    responses: {
      201: { description: 'The loaded source', schema: sourceSchema, shows: ['loaded'] },
    },
    problems: CREATION_PROBLEMS,
    longRunning: 'source.create',
    place: 'uploads',
  },
  async (request, services) =>
    respondAsJob(request, services, 'source.create', await readNewSource(request)),
)

type AnyRequest = RouteRequest<Exclude<Access, 'public'>, unknown, unknown, unknown>

/** The kind of body and `source` decide which of the three it is. */
async function readNewSource(request: AnyRequest): Promise<NewSource> {
  const { check, header } = request
  const seen = tagsIn(header('if-match'))
  const { fields, file } = await readSourceBody(request)
  const { source, documentUuid } = (fields ?? {}) as { source?: unknown; documentUuid?: unknown }
  if (file !== null) {
    const given = beforeFile(() => check(newFileSource, fields))
    return { ...shared({ ...given, seen }), origin: { kind: 'upload', incoming: file } }
  }
  if (source === 'api') {
    const given = check(newApiSource, fields)
    return { ...shared({ ...given, seen }), origin: resourceOf(given, '') }
  }
  if (source !== 'file') throw unknownSource()
  if (documentUuid === undefined) {
    // Other mistakes are reported first.
    check(newFileSource, fields)
    throw fileRequired(request)
  }
  const given = check(newDocumentSource, fields)
  return {
    ...shared({ ...given, seen }),
    origin: { kind: 'document', documentUuid: given.documentUuid },
  }
}

const shared = ({
  options = {},
  name,
  tableName,
  enterpriseId,
  shapeUuid,
  mapping,
  remember,
  seen,
}: Partial<Pick<NewSource, 'options'>> & Omit<NewSource, 'origin' | 'options'>): Omit<
  NewSource,
  'origin'
> => ({ options, name, tableName, enterpriseId, shapeUuid, mapping, remember, seen })

function unknownSource() {
  return invalidField('/source', validationMessages.oneOf({ allowed: ['file', 'api'] }))
}
