import type { Connection as ConnectionRow } from '../../models/connection.ts'

export const CONNECTION_TYPES = ['FORMULAIRES'] as const
export type ConnectionType = (typeof CONNECTION_TYPES)[number]

export const CONNECTION_STATUSES = ['ACTIVE', 'ERROR'] as const
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number]

/** A connection as everyone outside this folder knows it: without its key. */
export interface Connection {
  readonly id: number
  readonly uuid: string
  readonly enterpriseId: number
  readonly type: ConnectionType
  readonly name: string
  readonly baseUrl: string
  readonly apiKeyPrefix: string
  readonly status: ConnectionStatus
  readonly errorMessage: string | null
  readonly lastValidatedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export function toConnection(row: ConnectionRow): Connection {
  return {
    id: row.id,
    uuid: row.uuid,
    enterpriseId: row.enterprise_id,
    type: row.type,
    name: row.name,
    baseUrl: row.base_url,
    apiKeyPrefix: row.api_key_prefix,
    status: row.status,
    errorMessage: row.error_message,
    lastValidatedAt: row.last_validated_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
