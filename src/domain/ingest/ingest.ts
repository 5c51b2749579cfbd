import type { ClientBase } from 'pg'

import type {
  IngestOptions,
  LoadControl,
  LoadMode,
  LoadResult,
  LoadTarget,
  Preview,
  PreviewControl,
  Source,
} from '../../../pipelines/index.ts'
import type { ResourceType } from '../../connectors/connector.ts'
import type { Actor } from '../actor.ts'

/**
 * The one way from where data comes from to what the engine makes of it. Sources, previews and
 * workflows all pass here, which is why they show the same headers and types.
 */
export interface Ingest {
  /** Finds the origin within what the actor may see; nothing of it is read but its description. */
  open(actor: Actor, origin: Origin, signal: AbortSignal): Promise<OpenedOrigin>
  preview(source: Source, options: IngestOptions, control: PreviewControl): Promise<Preview>
  /** Waits for a place, makes the schema if need be, loads; all or nothing. */
  load(
    source: Source,
    options: IngestOptions,
    target: IngestTarget,
    control: IngestControl,
  ): Promise<LoadResult>
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

export interface IngestControl extends LoadControl {
  /** Last in the transaction that makes the rows visible. */
  seal(client: ClientBase): Promise<void>
}

export interface IngestTarget {
  readonly enterpriseId: number
  /** In the enterprise's schema. */
  readonly table: string
  readonly rejectsTable: string
  readonly mode: LoadMode
  /** In the transaction that makes the rows visible. */
  readonly publish: NonNullable<LoadTarget['publish']>
}
