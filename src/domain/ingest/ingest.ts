import type {
  Engine,
  IngestOptions,
  LoadConnection,
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
  /** Refuses what is of no format that is read, or of another one than the options name. */
  recognise: Engine['recognise']
  preview(source: Source, options: IngestOptions, control: PreviewControl): Promise<Preview>
  readCells: Engine['readCells']
  load: Engine['load']
  /** For a load, or for other work on the rows of a table; free again when it is disposed of. */
  place(who: InTurn, signal: AbortSignal): LoadPlace
}

/** A place among the loads. */
export interface LoadPlace extends Disposable {
  /** Waits for the place first: a slow upload holds none while its sample is still coming. */
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
  readonly source: Source
  /** Whose the document or the connection is; null: a document that belongs to no enterprise. */
  readonly enterpriseId: number | null
  /** File name of the document; title of the form or card. */
  readonly title: string
  /** Of a stored document. */
  readonly sha256: string | null
  readonly sizeBytes: number | null
}
