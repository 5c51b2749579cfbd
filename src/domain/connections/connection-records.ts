import { randomUUID } from 'node:crypto'

import type { Knex } from 'knex'
import { raw } from 'objection'

import { connectionOf } from '../../db/knex.ts'
import type { Alongside, Recording } from '../../resources/alongside.ts'
import { ApiConnectionNotFoundException } from '../../errors/index.ts'
import { ConnectionModel } from '../../models/connection.ts'
import { TOUCHED } from '../../models/touched.ts'
import {
  type Connection,
  connection,
  type ConnectionStatus,
  type ListedConnection,
  listedConnection,
} from '../../resources/connection.ts'
import type { Page, SortedRequest } from '../../resources/page.ts'
import { apiKeyPrefix } from '../../security/api-key.ts'
import type { SecretBoxProvider } from '../../security/secret-box.ts'
import { type Actor, seenBy } from '../actor.ts'
import { chooseEnterprise } from '../people/choose-enterprise.ts'
import {
  checkChange,
  checkNew,
  type ConnectionChange,
  type NewConnection,
} from './connection-input.ts'
import { holdMasterKey } from './master-key-lock.ts'
import { sealKey, type StoredKey } from './stored-key.ts'

export interface RecordsParts {
  readonly knex: Knex
  readonly secretBox: SecretBoxProvider
}

interface ConnectionQuery extends SortedRequest {
  readonly search?: string | undefined
  readonly status?: ConnectionStatus | undefined
}

interface NewKey extends StoredKey {
  readonly api_key_prefix: string
}

export function createConnectionRecords({ knex, secretBox }: RecordsParts) {
  const storeKey = <R>(
    apiKey: string,
    uuid: string,
    store: (trx: Knex, key: NewKey) => PromiseLike<R>,
  ): Promise<R> =>
    knex.transaction(async (trx) => {
      await holdMasterKey(trx)
      const sealed = sealKey(await secretBox(), apiKey, uuid)
      return await store(trx, { ...sealed, api_key_prefix: apiKeyPrefix(apiKey) })
    })

  async function find(actor: Actor, uuid: string, queries = knex): Promise<Connection> {
    const found = await ConnectionModel.query(queries)
      .visibleTo(actor)
      .byUuid(uuid)
      .oneAs(connection)
    if (!found) throw new ApiConnectionNotFoundException()
    return seenBy(actor, found)
  }

  return {
    find: (actor: Actor, uuid: string): Promise<Connection> => find(actor, uuid),

    /** Stores the connection without contacting the remote application. */
    async create(
      actor: Actor,
      given: NewConnection,
      alongside?: Alongside<Connection>,
    ): Promise<Connection> {
      const { name, baseUrl, apiKey } = checkNew(given)
      const enterpriseId = await chooseEnterprise(knex, actor, given.enterpriseId)
      // Generated here, since the key is encrypted for the connection that holds it.
      const uuid = randomUUID()
      const type = given.type ?? 'FORMULAIRES'
      return storeKey(apiKey, uuid, async (trx, key) => {
        const row = { uuid, enterprise_id: enterpriseId, type, name, base_url: baseUrl, ...key }
        await ConnectionModel.query(trx).insert(row)
        const made = await find(actor, uuid, trx)
        await alongside?.(await connectionOf(trx), made)
        return made
      })
    },

    async list(
      actor: Actor,
      { search, status, ...request }: ConnectionQuery,
      signal: AbortSignal,
    ): Promise<Page<ListedConnection>> {
      const query = ConnectionModel.query(knex).visibleTo(actor)
      if (status !== undefined) void query.where('status', status)
      if (search !== undefined)
        void query.whereRaw('search_fold(name) like search_pattern(?)', [search])
      const { items, total } = await query.listAs(listedConnection, request, signal)
      return { items: items.map((found) => seenBy(actor, found)), total }
    },

    async update(
      actor: Actor,
      uuid: string,
      change: ConnectionChange,
      record?: Recording,
    ): Promise<Connection> {
      const { name, apiKey } = checkChange(change)
      const write = async (trx: Knex, newKey: NewKey | null) => {
        const changed = await ConnectionModel.query(trx)
          .visibleTo(actor)
          .where('uuid', uuid)
          .patchAs(connection, {
            ...(name !== null && { name }),
            ...(newKey !== null && {
              ...newKey,
              api_key_version: raw('api_key_version + 1'),
              status: 'ACTIVE',
              error_message: null,
              failure: null,
              failed_at: null,
              last_validated_at: raw('clock_timestamp()'),
            }),
            updated_at: TOUCHED,
          })
        if (!changed) throw new ApiConnectionNotFoundException()
        await record?.(await connectionOf(trx))
        return seenBy(actor, changed)
      }
      return apiKey === null
        ? knex.transaction((trx) => write(trx, null))
        : storeKey(apiKey, uuid, write)
    },

    async remove(actor: Actor, uuid: string, record?: Recording): Promise<void> {
      await knex.transaction(async (trx) => {
        const deleted = await ConnectionModel.query(trx)
          .visibleTo(actor)
          .where('uuid', uuid)
          .delete()
        if (deleted === 0) throw new ApiConnectionNotFoundException()
        await record?.(await connectionOf(trx))
      })
    },
  }
}
