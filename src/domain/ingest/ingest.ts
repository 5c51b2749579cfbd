import type { Pool } from 'pg'

import type { Engine, LoadConnection, DataSource } from '../../../pipelines/index.ts'
import type { ResourceType } from '../../connectors/connector.ts'
import { SourceOriginEmptyException } from '../../errors/index.ts'
import { type InTurn, Places } from '../../shares.ts'
import type { Actor } from '../actor.ts'
import type { RemoteResources } from '../connections/remote-resources.ts'
import type { DocumentReader } from './document-reader.ts'

/** A place among the concurrent loads. */
interface LoadPlace extends Disposable {
  /**
   * Waits for the place first, so that a slow upload takes none while its sample is still arriving.
   */
  connect(this: void): Promise<LoadConnection>
}

export type Origin =
  | { readonly kind: 'document'; readonly documentUuid: string }
  | {
      readonly kind: 'api'
      readonly connectionUuid: string
      readonly resourceType: ResourceType
      readonly resourceUuid: string
    }

export interface OpenedOrigin {
  readonly source: DataSource
  /**
   * The enterprise of the document or connection; null for a document that belongs to no
   * enterprise.
   */
  readonly enterpriseId: number | null
  /** File name of the document, or title of the form or card. */
  readonly title: string
  /** Only for a stored document. */
  readonly sha256: string | null
  readonly sizeBytes: number | null
}

interface IngestParts {
  readonly engine: Engine
  /** Connections used only for loads, so that nothing else waits behind them. */
  readonly pool: Pool
  readonly concurrentLoads: number
  readonly documents: DocumentReader
  readonly connections: Pick<RemoteResources, 'openResource' | 'requireActive'>
}

export type Ingest = ReturnType<typeof createIngest>

/**
 * The only way from an origin of data to the engine. Sources, previews and workflows all use it,
 * which is why they show the same headers and types.
 */
export function createIngest(parts: IngestParts) {
  const { engine, pool, documents, connections } = parts
  const places = new Places({ what: 'loads', total: parts.concurrentLoads })

  return {
    /** Finds the origin among what the actor may see; reads only its description. */
    async open(actor: Actor, origin: Origin, signal: AbortSignal): Promise<OpenedOrigin> {
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

    /** Does what `open` can check without asking another application. */
    locate: (actor: Actor, origin: Origin): Promise<Pick<OpenedOrigin, 'enterpriseId'>> =>
      origin.kind === 'document'
        ? documents.openForReading(actor, origin.documentUuid)
        : connections.requireActive(actor, origin.connectionUuid),

    checkOptions: engine.checkOptions,
    recognise: engine.recognise,
    preview: engine.preview,
    readCells: engine.readCells,
    openIntake: engine.open,
    giveBack: engine.giveBack,

    /**
     * A place for a load, or for other work on the rows of a table; disposing of it frees the place.
     */
    place(who: InTurn, signal: AbortSignal): LoadPlace {
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
