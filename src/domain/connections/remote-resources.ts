import type { RecordPages, RecordSource } from '../../../pipelines/index.ts'
import { ConnectorError } from '../../connectors/errors.ts'
import type { ConnectionAccess } from '../../connectors/connector.ts'
import {
  ApiConnectionNotActiveException,
  ApiConnectionNotFoundException,
  ServiceUnavailableException,
} from '../../errors/index.ts'
import { Connection as Row } from '../../models/connection.ts'
import { TOUCHED } from '../../models/touched.ts'
import { type SecretBox, SecretBoxError, type SecretProblem } from '../../security/secret-box.ts'
import type { Actor } from '../actor.ts'
import { type Connection, toConnection } from './connection.ts'
import type { ConnectionsParts, RemoteResources } from './connections.ts'
import { openKey } from './stored-key.ts'

export const KEY_REFUSED = 'Clé API invalide ou révoquée.'

/** A connection with its key, and which key of its life that is. */
interface OpenConnection {
  readonly connection: Connection
  readonly access: ConnectionAccess
  readonly keyVersion: number
}

export function createRemoteResources({
  knex,
  secretBox,
  registry,
}: ConnectionsParts): RemoteResources {
  async function open(actor: Actor, uuid: string): Promise<OpenConnection> {
    const row = await Row.query(knex).visibleTo(actor).byUuid(uuid)
    if (!row) throw new ApiConnectionNotFoundException()
    const apiKey = plainKey(await secretBox(), row)
    return {
      connection: toConnection(row),
      access: { baseUrl: row.base_url, apiKey },
      keyVersion: row.api_key_version,
    }
  }

  async function openActive(actor: Actor, uuid: string): Promise<OpenConnection> {
    const opened = await open(actor, uuid)
    if (opened.connection.status !== 'ACTIVE') throw new ApiConnectionNotActiveException()
    return opened
  }

  /** Only a refusal of the key that is stored now counts: a newer one may be good. */
  async function noteFailure(opened: OpenConnection, error: unknown): Promise<void> {
    if (!(error instanceof ConnectorError && error.problem.kind === 'unauthorized')) return
    await Row.query(knex)
      .where({
        id: opened.connection.id,
        api_key_version: opened.keyVersion,
        status: 'ACTIVE',
      })
      .patch({ status: 'ERROR', error_message: KEY_REFUSED, updated_at: TOUCHED })
  }

  async function watched<R>(opened: OpenConnection, work: Promise<R>): Promise<R> {
    try {
      return await work
    } catch (error) {
      await noteFailure(opened, error)
      throw error
    }
  }

  /** The key may be refused at any page, too. */
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
    async browse(actor, uuid, resourceType, query, signal) {
      const opened = await open(actor, uuid)
      const resource = registry.resource(opened.connection.type, resourceType)
      return watched(opened, resource.list(opened.access, query, signal))
    },

    async describeResource(actor, uuid, resourceType, resourceUuid, signal) {
      const opened = await openActive(actor, uuid)
      const { connection, access } = opened
      const resource = registry.resource(connection.type, resourceType)
      const item = await watched(opened, resource.describe(access, resourceUuid, signal))
      return { connection, item }
    },

    async openResource(actor, uuid, resourceType, resourceUuid, signal) {
      const opened = await openActive(actor, uuid)
      const { connection, access } = opened
      const resource = registry.resource(connection.type, resourceType)
      const { item, source } = await watched(opened, resource.open(access, resourceUuid, signal))
      return { connection, item, source: watchedSource(opened, source) }
    },
  }
}

const UNOPENED: Readonly<Record<SecretProblem, string>> = {
  'unknown-key': 'The key of this connection was sealed with a master key that is not configured',
  altered: 'The stored key of this connection cannot be opened; replacing the key mends that',
}

function plainKey(box: SecretBox, row: Row): string {
  try {
    return openKey(box, row, row.uuid)
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error
    throw new ServiceUnavailableException(UNOPENED[error.problem], { cause: error })
  }
}
