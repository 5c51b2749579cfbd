import type { Knex } from 'knex'
import { raw } from 'objection'

import type { RecordPages, RecordSource } from '../../../pipelines/index.ts'
import { ConnectorError, type ConnectorProblem } from '../../connectors/errors.ts'
import type {
  ConnectionAccess,
  RemoteItem,
  RemoteList,
  RemoteListQuery,
  ResourceType,
} from '../../connectors/connector.ts'
import type { ConnectorRegistry } from '../../connectors/registry.ts'
import {
  ApiConnectionNotActiveException,
  ApiConnectionNotFoundException,
  ServiceUnavailableException,
} from '../../errors/index.ts'
import { ConnectionModel } from '../../models/connection.ts'
import { TOUCHED } from '../../models/touched.ts'
import { type Connection, connection } from '../../resources/connection.ts'
import {
  type SecretBox,
  SecretBoxError,
  type SecretBoxProvider,
  type SecretProblem,
} from '../../security/secret-box.ts'
import type { Actor } from '../actor.ts'
import { openKey, type StoredKey } from './stored-key.ts'
import { connectionMessages } from './connection-messages.ts'
import { type Message } from '../../../pipelines/index.ts'
import { connectorMessages } from '../../connectors/connector-messages.ts'
import { storedText } from '../../../pipelines/index.ts'

const KEY_REFUSED = storedText(connectorMessages.keyRefused())

export interface RemoteParts {
  readonly knex: Knex
  readonly secretBox: SecretBoxProvider
  readonly registry: ConnectorRegistry
}

interface OpenedConnectionResource {
  readonly connection: Connection
  readonly item: RemoteItem
  /** Can be read again if a load has to restart. */
  readonly source: RecordSource
}

const KEY_COLUMNS = [
  'api_key_ciphertext',
  'api_key_iv',
  'api_key_key_id',
  'api_key_version',
] as const

/** What keeps an application from answering at all. */
const SILENT: readonly string[] = ['failed', 'too-slow'] satisfies ConnectorProblem['kind'][]

const NOW = raw('clock_timestamp()')

interface NotedAnswer {
  readonly failure: string | null
  readonly failed_at: typeof NOW | null
}

const ANSWERED: NotedAnswer = { failure: null, failed_at: null }

/** A connection with its decrypted key, and the version of that key. */
interface OpenConnection {
  readonly connection: Connection
  readonly access: ConnectionAccess
  readonly keyVersion: number
}

/**
 * The resources of a remote application. Each call may throw a ConnectorError; if it says that the
 * present key was refused, the connection has already been set to ERROR.
 */
export function createRemoteResources({ knex, secretBox, registry }: RemoteParts) {
  async function open(actor: Actor, uuid: string): Promise<OpenConnection> {
    const query = ConnectionModel.query(knex).visibleTo(actor).byUuid(uuid)
    const found = await query.oneAs(connection, KEY_COLUMNS)
    if (!found) throw new ApiConnectionNotFoundException()
    const apiKey = plainKey(await secretBox(), found, uuid)
    return {
      connection: found,
      access: { baseUrl: found.baseUrl, apiKey },
      keyVersion: found.api_key_version,
    }
  }

  async function openActive(actor: Actor, uuid: string): Promise<OpenConnection> {
    const opened = await open(actor, uuid)
    if (opened.connection.status !== 'ACTIVE') throw new ApiConnectionNotActiveException()
    return opened
  }

  /** Only a refusal of the key that is stored now counts, since a newer one may be valid. */
  async function noteFailure(opened: OpenConnection, error: unknown): Promise<void> {
    if (!(error instanceof ConnectorError)) return
    if (SILENT.includes(error.problem.kind)) {
      await noteAnswer(opened, { failure: storedText(error.text), failed_at: NOW })
    }
    if (error.problem.kind !== 'unauthorized') return
    await ConnectionModel.query(knex)
      .foundBefore(opened.connection.id)
      .where({ api_key_version: opened.keyVersion, status: 'ACTIVE' })
      .patch({ status: 'ERROR', error_message: KEY_REFUSED, updated_at: TOUCHED })
  }

  /** Whether the application answers is told beside the status, which says whether the key works. */
  async function noteAnswer({ connection: { id } }: OpenConnection, answer: NotedAnswer) {
    await ConnectionModel.query(knex).foundBefore(id).patch(answer)
  }

  async function watched<R>(opened: OpenConnection, work: Promise<R>): Promise<R> {
    try {
      const result = await work
      if (opened.connection.failedAt !== null) await noteAnswer(opened, ANSWERED)
      return result
    } catch (error) {
      await noteFailure(opened, error)
      throw error
    }
  }

  /** The key may also be refused at any later page. */
  function watchedSource(opened: OpenConnection, source: RecordSource): RecordSource {
    return {
      ...source,
      async *pages(signal): RecordPages {
        try {
          yield* source.pages(signal)
        } catch (error) {
          await noteFailure(opened, error)
          throw error
        }
      },
    }
  }

  return {
    /** Allowed for any visible connection, since this is how people see whether it works again. */
    async browse(
      actor: Actor,
      uuid: string,
      resourceType: ResourceType,
      query: RemoteListQuery,
      signal: AbortSignal,
    ): Promise<RemoteList> {
      const opened = await open(actor, uuid)
      const resource = registry.resource(opened.connection.type, resourceType)
      return watched(opened, resource.list(opened.access, query, signal))
    },

    /** Does what `openResource` can check without contacting the remote application. */
    async requireActive(actor: Actor, uuid: string): Promise<Connection> {
      return (await openActive(actor, uuid)).connection
    },

    /**
     * Requires an ACTIVE connection; reads the definition now, and the records when the source is
     * read.
     */
    async openResource(
      actor: Actor,
      uuid: string,
      resourceType: ResourceType,
      resourceUuid: string,
      signal: AbortSignal,
    ): Promise<OpenedConnectionResource> {
      const opened = await openActive(actor, uuid)
      const resource = registry.resource(opened.connection.type, resourceType)
      const work = resource.open(opened.access, resourceUuid, signal)
      const { item, source } = await watched(opened, work)
      return { connection: opened.connection, item, source: watchedSource(opened, source) }
    },
  }
}

export type RemoteResources = ReturnType<typeof createRemoteResources>

const UNOPENED: Readonly<Record<SecretProblem, () => Message>> = {
  'unknown-key': connectionMessages.masterKeyMissing,
  altered: connectionMessages.keyUnreadable,
}

function plainKey(box: SecretBox, key: StoredKey, connectionUuid: string): string {
  try {
    return openKey(box, key, connectionUuid)
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error
    throw new ServiceUnavailableException(UNOPENED[error.problem](), { cause: error })
  }
}
