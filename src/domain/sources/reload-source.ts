import { ServiceUnavailableException, invalidField } from '../../errors/index.ts'
import type { Actor } from '../actor.ts'
import type { Origin } from '../ingest/ingest.ts'
import { loadIntoSource } from './load-into-source.ts'
import { type Content, contentOfKept, openFile, openOrigin } from './open-content.ts'
import type { Source } from './source.ts'
import type { SourcesParts } from './sources-parts.ts'
import type { FileOrigin, Reload, Sources } from './sources.ts'

export function reloadSource(parts: SourcesParts, find: Sources['find']): Sources['reload'] {
  const { leases } = parts

  /** Under the lease: another load may have changed all of the source until it was taken. */
  async function open(actor: Actor, uuid: string, { origin }: Reload, signal: AbortSignal) {
    const source = await find(actor, uuid)
    return { source, content: await openContent(parts, actor, source, origin, signal) }
  }

  return async (actor, uuid, given, work) => {
    const { id, source: kind } = await find(actor, uuid)
    if (given.origin && kind === 'api') throw noFileForApi()
    const lease = await leases.take(id, work.jobUuid)
    const { source, content } = await open(actor, uuid, given, work.signal).catch(
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
  actor: Actor,
  source: Source,
  upload: FileOrigin | undefined,
  signal: AbortSignal,
): Promise<Content> {
  if (upload) return openFile(parts, upload)
  const origin = originOf(source)
  if (origin) return openOrigin(parts.ingest, actor, origin, signal)
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
  return invalidField('/file', message)
}
