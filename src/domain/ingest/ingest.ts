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
 * The only way from an origin of data to the engine. Sources, previews and workflows all use it,
 * which is why they show the same headers and types.
 */
export interface Ingest {
  /** Finds the origin among what the actor may see; reads only its description. */
  open(actor: Actor, origin: Origin, signal: AbortSignal): Promise<OpenedOrigin>
  /** Does what `open` can check without asking another application. */
  locate(actor: Actor, origin: Origin): Promise<Pick<OpenedOrigin, 'enterpriseId'>>
  /** Refuses options that are wrong for any input. */
  checkOptions(options: IngestOptions): void
  /** Refuses input of an unknown format, or of another one than the options name. */
  recognise: Engine['recognise']
  preview(source: Source, options: IngestOptions, control: PreviewControl): Promise<Preview>
  readCells: Engine['readCells']
  load: Engine['load']
  /**
   * A place for a load, or for other work on the rows of a table; disposing of it frees the place.
   */
  place(who: InTurn, signal: AbortSignal): LoadPlace
}

/** A place among the concurrent loads. */
export interface LoadPlace extends Disposable {
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
  readonly source: Source
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
