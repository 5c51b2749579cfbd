import type { RecordSource } from '../../pipelines/index.ts'

export const RESOURCE_TYPES = ['form', 'card'] as const
export type ResourceType = (typeof RESOURCE_TYPES)[number]

/**
 * A type of connection: a family of remote applications with the same interface. A connector knows
 * nothing of tenants or tables, and keeps no state between calls.
 */
export interface Connector {
  /** The connection type that it serves. */
  readonly type: string
  /** The resources that the type offers; one that is absent is not supported. */
  readonly resources: Readonly<Partial<Record<ResourceType, ConnectorResource>>>
}

/** Forms or cards: items with columns and records. Every call may throw a ConnectorError. */
export interface ConnectorResource {
  list(access: ConnectionAccess, query: RemoteListQuery, signal: AbortSignal): Promise<RemoteList>
  describe(access: ConnectionAccess, uuid: string, signal: AbortSignal): Promise<RemoteItem>
  /** Reads the definition now, and the records when the source is pulled. */
  open(access: ConnectionAccess, uuid: string, signal: AbortSignal): Promise<OpenedResource>
}

export interface ConnectionAccess {
  /** Normalised: no trailing slash. */
  readonly baseUrl: string
  readonly apiKey: string
}

export interface RemoteListQuery {
  readonly search?: string
  readonly page: number
  readonly limit: number
}

export interface RemoteList {
  readonly items: readonly RemoteItem[]
  readonly total: number
  readonly page: number
  readonly limit: number
}

export interface RemoteItem {
  readonly uuid: string
  readonly title: string
  /** Passed through unchanged from the remote application. */
  readonly publicationStatus: string | null
  /** Number of responses of a form, or submissions of a card. */
  readonly recordCount: number
  /** ISO 8601 in UTC with milliseconds. */
  readonly updatedAt: string | null
  readonly columns: readonly RemoteColumn[]
}

interface RemoteColumn {
  readonly key: string
  readonly label: string | null
  /** The type as the remote application names it. */
  readonly type: string
}

interface OpenedResource {
  readonly item: RemoteItem
  readonly source: RecordSource
}
