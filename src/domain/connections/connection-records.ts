import { randomUUID } from 'node:crypto'

import type { Knex } from 'knex'
import { raw } from 'objection'

import {
  ApiConnectionNotActiveException,
  ApiConnectionNotFoundException,
} from '../../errors/index.ts'
import { Connection as Row } from '../../models/connection.ts'
import { TOUCHED } from '../../models/touched.ts'
import { apiKeyPrefix } from '../../security/api-key.ts'
import { chooseEnterprise } from '../people/choose-enterprise.ts'
import { checkChange, checkNew } from './connection-input.ts'
import { toConnection } from './connection.ts'
import type { ConnectionRecords, ConnectionsParts } from './connections.ts'
import { holdMasterKey } from './master-key-lock.ts'
import { sealKey, type StoredKey } from './stored-key.ts'

type Parts = Pick<ConnectionsParts, 'knex' | 'secretBox'>

interface NewKey extends StoredKey {
  readonly api_key_prefix: string
}

export function createConnectionRecords({ knex, secretBox }: Parts): ConnectionRecords {
  const find: ConnectionRecords['find'] = async (actor, uuid) => {
    const row = await Row.query(knex).visibleTo(actor).byUuid(uuid)
    if (!row) throw new ApiConnectionNotFoundException()
    return toConnection(row)
  }

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

  return {
    find,

    async create(actor, given) {
      const { name, baseUrl, apiKey } = checkNew(given)
      const enterpriseId = await chooseEnterprise(knex, actor, given.enterpriseId)
      // Made here, since the key is sealed for the connection that holds it.
      const uuid = randomUUID()
      const type = given.type ?? 'FORMULAIRES'
      const row = await storeKey(apiKey, uuid, (trx, key) =>
        Row.query(trx)
          .insert({ uuid, enterprise_id: enterpriseId, type, name, base_url: baseUrl, ...key })
          .returning('*'),
      )
      return toConnection(row)
    },

    async list(actor, { page, limit, search, status }) {
      const query = Row.query(knex).visibleTo(actor)
      if (status !== undefined) void query.where('status', status)
      if (search !== undefined)
        void query.whereRaw('search_fold(name) like search_pattern(?)', [search])
      const { results, total } = await query.orderBy('id', 'desc').page(page - 1, limit)
      return { items: results.map(toConnection), total }
    },

    async requireActive(actor, uuid) {
      const connection = await find(actor, uuid)
      if (connection.status !== 'ACTIVE') throw new ApiConnectionNotActiveException()
      return connection
    },

    async update(actor, uuid, change) {
      const { name, apiKey } = checkChange(change)
      const write = (trx: Knex, newKey: NewKey | null) =>
        Row.query(trx)
          .visibleTo(actor)
          .where('uuid', uuid)
          .patch({
            ...(name !== null && { name }),
            ...(newKey !== null && {
              ...newKey,
              api_key_version: raw('api_key_version + 1'),
              status: 'ACTIVE',
              error_message: null,
              last_validated_at: raw('clock_timestamp()'),
            }),
            updated_at: TOUCHED,
          })
          .returning('*')
      const [row] = await (apiKey === null ? write(knex, null) : storeKey(apiKey, uuid, write))
      if (!row) throw new ApiConnectionNotFoundException()
      return toConnection(row)
    },

    async remove(actor, uuid) {
      const deleted = await Row.query(knex).visibleTo(actor).where('uuid', uuid).delete()
      if (deleted === 0) throw new ApiConnectionNotFoundException()
    },
  }
}
