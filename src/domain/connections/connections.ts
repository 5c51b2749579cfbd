import type { Knex } from 'knex'

import type {
  RemoteItem,
  RemoteList,
  RemoteListQuery,
  ResourceType,
} from '../../connectors/connector.ts'
import type { ConnectorRegistry } from '../../connectors/registry.ts'
import type { RecordSource } from '../../../pipelines/index.ts'
import type { SecretBoxProvider } from '../../security/secret-box.ts'
import type { Actor } from '../actor.ts'
import type { Connection, ConnectionStatus, ConnectionType } from './connection.ts'

/**
 * Access to remote applications: the records of it, and what lies behind. Whatever the actor may
 * not see is an ApiConnectionNotFoundException, as if it did not exist.
 */
export interface Connections extends ConnectionRecords, RemoteResources {}

export interface ConnectionRecords {
  /** Stored without asking the remote application. */
  create(actor: Actor, given: NewConnection): Promise<Connection>
  list(actor: Actor, query: ConnectionListQuery): Promise<{ items: Connection[]; total: number }>
  find(actor: Actor, uuid: string): Promise<Connection>
  /** As `find`; a connection that is not ACTIVE is an ApiConnectionNotActiveException. */
  requireActive(actor: Actor, uuid: string): Promise<Connection>
  update(actor: Actor, uuid: string, change: ConnectionChange): Promise<Connection>
  remove(actor: Actor, uuid: string): Promise<void>
}

/**
 * What the remote application offers. Each call may throw a ConnectorError; one that says that the
 * present key was refused has put the connection into ERROR before it arrives.
 */
export interface RemoteResources {
  /** Of any visible connection, since that is how one sees whether it works again. */
  browse(
    actor: Actor,
    uuid: string,
    resourceType: ResourceType,
    query: RemoteListQuery,
    signal: AbortSignal,
  ): Promise<RemoteList>
  /** Of an ACTIVE connection. */
  describeResource(
    actor: Actor,
    uuid: string,
    resourceType: ResourceType,
    resourceUuid: string,
    signal: AbortSignal,
  ): Promise<DescribedResource>
  /** Of an ACTIVE connection: its definition now, its records when the source is pulled. */
  openResource(
    actor: Actor,
    uuid: string,
    resourceType: ResourceType,
    resourceUuid: string,
    signal: AbortSignal,
  ): Promise<OpenedConnectionResource>
}

export interface NewConnection {
  readonly name: string
  readonly baseUrl: string
  readonly apiKey: string
  /** Default: FORMULAIRES. */
  readonly type?: ConnectionType | undefined
  readonly enterpriseId?: number | undefined
}

/** A field that is blank counts as not given; one of the two must be usable. */
export interface ConnectionChange {
  readonly name?: string | undefined
  readonly apiKey?: string | undefined
}

export interface ConnectionListQuery {
  readonly page: number
  readonly limit: number
  readonly search?: string | undefined
  readonly status?: ConnectionStatus | undefined
}

export interface DescribedResource {
  readonly connection: Connection
  readonly item: RemoteItem
}

export interface OpenedConnectionResource extends DescribedResource {
  /** Can be pulled again, should a load have to restart. */
  readonly source: RecordSource
}

export interface ConnectionsParts {
  readonly knex: Knex
  readonly secretBox: SecretBoxProvider
  readonly registry: ConnectorRegistry
}
