import { ServiceUnavailableException, ValidationException } from '../../errors/index.ts'
import type { Origin } from '../ingest/ingest.ts'
import { loadIntoSource } from './load-into-source.ts'
import { type Content, contentOfKept, openFile, openOrigin } from './open-content.ts'
import type { Source } from './source.ts'
import type { SourcesParts } from './sources-parts.ts'
import type { FileOrigin, Sources } from './sources.ts'

export function reloadSource(parts: SourcesParts, find: Sources['find']): Sources['reload'] {
  const { leases } = parts

  return async (actor, uuid, given, work) => {
    const source = await find(actor, uuid)
    if (given.origin && source.source === 'api') throw noFileForApi()
    // Before the lease: a connection that is not active refuses without having stopped anybody.
    const origin = given.origin ? null : originOf(source)
    const opened = origin && (await openOrigin(parts.ingest, actor, origin, work.signal))
    const lease = await leases.take(source.id, work.jobUuid)
    const content = await openContent(parts, source, given.origin, opened).catch(
      async (error: unknown) => {
        await leases.giveBack(lease)
        throw error
      },
    )
    await loadIntoSource(
      parts,
      actor,
      {
        lease,
        enterpriseId: source.enterpriseId,
        tableName: source.tableName,
        kind: 'reload',
        mode: given.mode,
        options: given.options ?? source.options,
        content,
        before: source,
        replacesRejects: false,
      },
      work,
    )
    return find(actor, uuid)
  }
}

async function openContent(
  parts: SourcesParts,
  source: Source,
  upload: FileOrigin | undefined,
  opened: Content | null,
): Promise<Content> {
  if (upload) return openFile(parts, upload)
  if (opened) return opened
  if (source.file) return contentOfKept(parts.store, source.file)
  throw new ServiceUnavailableException('The file of this source is not kept; send it again')
}

/** Null: the source's own upload. */
function originOf(source: Source): Origin | null {
  const { connectionUuid, apiResourceType, formUuid, cardUuid, documentUuid } = source
  const resourceUuid = formUuid ?? cardUuid
  if (connectionUuid !== null && apiResourceType !== null && resourceUuid !== null) {
    return { kind: 'api', connectionUuid, resourceType: apiResourceType, resourceUuid }
  }
  return documentUuid === null ? null : { kind: 'document', documentUuid }
}

function noFileForApi() {
  const message = 'is not taken: the source is read from its connection'
  return new ValidationException(`/file ${message}`, { errors: [{ pointer: '/file', message }] })
}
