import type {
  Engine,
  IngestOptions,
  LoadConnection,
  LoadControl,
  LoadResult,
  LoadTarget,
  Preview,
  PreviewControl,
  Source,
} from '../../../pipelines/index.ts'
import type { ResourceType } from '../../connectors/connector.ts'
import type { InTurn } from '../../shares.ts'
import type { Actor } from '../actor.ts'

/**
 * The one way from where data comes from to what the engine makes of it. Sources, previews and
 * workflows all pass here, which is why they show the same headers and types.
 */
export interface Ingest {
  /** Finds the origin within what the actor may see; nothing of it is read but its description. */
  open(actor: Actor, origin: Origin, signal: AbortSignal): Promise<OpenedOrigin>
  /** As far as `open` can refuse without asking another application. */
  locate(actor: Actor, origin: Origin): Promise<Pick<OpenedOrigin, 'enterpriseId'>>
  /** Refuses options that are wrong whatever is read. */
  checkOptions(options: IngestOptions): void
  preview(source: Source, options: IngestOptions, control: PreviewControl): Promise<Preview>
  readCells: Engine['readCells']
  /** Waits for a place among the loads; all or nothing. */
  load(
    source: Source,
    options: IngestOptions,
    target: Omit<LoadTarget, 'connect'>,
    control: LoadControl & { readonly who: InTurn },
  ): Promise<LoadResult>
  /** A place and a connection as a load has them, for other work on the rows of a table. */
  withConnection<R>(
    asked: { readonly who: InTurn; readonly signal: AbortSignal },
    work: (connection: LoadConnection, connect: LoadTarget['connect']) => Promise<R>,
  ): Promise<R>
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
  readonly source: Source
  /** Whose the document or the connection is; null: a document that belongs to no enterprise. */
  readonly enterpriseId: number | null
  /** File name of the document; title of the form or card. */
  readonly title: string
  /** Of a stored document. */
  readonly sha256: string | null
  readonly sizeBytes: number | null
}
