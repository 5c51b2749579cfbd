import type { RecordSource } from '../../pipelines/index.ts'

export const RESOURCE_TYPES = ['form', 'card'] as const
export type ResourceType = (typeof RESOURCE_TYPES)[number]

/**
 * One type of connection: a family of remote applications that speak the same interface. It knows
 * nothing of tenants or tables, and keeps nothing between calls.
 */
export interface Connector {
  /** The connection type that it serves. */
  readonly type: string
  /** What the type has to offer; a resource that is absent is not supported. */
  readonly resources: Readonly<Partial<Record<ResourceType, ConnectorResource>>>
}

/** Forms, or cards: things with columns, that hold records. Every call may throw ConnectorError. */
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
  /** Passed through as the remote application says it. */
  readonly publicationStatus: string | null
  /** Responses of a form, submissions of a card. */
  readonly recordCount: number
  /** ISO 8601 in UTC with milliseconds. */
  readonly updatedAt: string | null
  readonly columns: readonly RemoteColumn[]
}

interface RemoteColumn {
  readonly key: string
  readonly label: string | null
  /** The remote application's own word for it. */
  readonly type: string
}

interface OpenedResource {
  readonly item: RemoteItem
  readonly source: RecordSource
}
