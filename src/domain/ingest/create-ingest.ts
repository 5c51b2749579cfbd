import type { Pool } from 'pg'

import type { Engine } from '../../../pipelines/index.ts'
import { SourceOriginEmptyException } from '../../errors/index.ts'
import { Places } from '../../shares.ts'
import type { RemoteResources } from '../connections/remote-resources.ts'
import type { DocumentReader } from './document-reader.ts'
import type { Ingest } from './ingest.ts'

interface IngestParts {
  readonly engine: Engine
  /** Connections used only for loads, so that nothing else waits behind them. */
  readonly pool: Pool
  readonly concurrentLoads: number
  readonly documents: DocumentReader
  readonly connections: Pick<RemoteResources, 'openResource' | 'requireActive'>
}

export function createIngest(parts: IngestParts): Ingest {
  const { engine, pool, documents, connections } = parts
  const places = new Places({ what: 'loads', total: parts.concurrentLoads })

  return {
    async open(actor, origin, signal) {
      if (origin.kind === 'document') {
        const { source, enterpriseId, sha256 } = await documents.openForReading(
          actor,
          origin.documentUuid,
        )
        return {
          source,
          enterpriseId,
          title: source.name ?? '',
          sha256,
          sizeBytes: source.size ?? null,
        }
      }
      const { connectionUuid, resourceType, resourceUuid } = origin
      const { connection, item, source } = await connections.openResource(
        actor,
        connectionUuid,
        resourceType,
        resourceUuid,
        signal,
      )
      if (item.columns.length === 0) throw new SourceOriginEmptyException()
      return {
        source,
        enterpriseId: connection.enterpriseId,
        title: item.title,
        sha256: null,
        sizeBytes: null,
      }
    },

    locate: (actor, origin) =>
      origin.kind === 'document'
        ? documents.openForReading(actor, origin.documentUuid)
        : connections.requireActive(actor, origin.connectionUuid),

    checkOptions: (options) => engine.checkOptions(options),
    recognise: (source, options, signal) => engine.recognise(source, options, signal),

    preview: (source, options, control) => engine.preview(source, options, control),
    readCells: (source, options, signal) => engine.readCells(source, options, signal),

    load: engine.load,

    place(who, signal) {
      let place: Promise<Disposable> | null = null
      return {
        async connect() {
          place ??= places.wait(who, signal)
          await place
          const client = await pool.connect()
          return { client, release: (broken) => client.release(broken) }
        },
        [Symbol.dispose]() {
          // If the wait was cancelled, there is no place to free.
          place?.then((taken) => taken[Symbol.dispose]()).catch(() => undefined)
        },
      }
    },
  }
}
