import { randomUUID } from 'node:crypto'

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
import { sealKey } from './stored-key.ts'

type Parts = Pick<ConnectionsParts, 'knex' | 'secretBox'>

export function createConnectionRecords({ knex, secretBox }: Parts): ConnectionRecords {
  const find: ConnectionRecords['find'] = async (actor, uuid) => {
    const row = await Row.query(knex).visibleTo(actor).byUuid(uuid)
    if (!row) throw new ApiConnectionNotFoundException()
    return toConnection(row)
  }

  const newKey = async (apiKey: string, uuid: string) => ({
    ...sealKey(await secretBox(), apiKey, uuid),
    api_key_prefix: apiKeyPrefix(apiKey),
  })

  return {
    find,

    async create(actor, given) {
      const { name, baseUrl, apiKey } = checkNew(given)
      const enterpriseId = await chooseEnterprise(knex, actor, given.enterpriseId)
      // Made here, since the key is sealed for the connection that holds it.
      const uuid = randomUUID()
      const row = await Row.query(knex)
        .insert({
          uuid,
          enterprise_id: enterpriseId,
          type: given.type ?? 'FORMULAIRES',
          name,
          base_url: baseUrl,
          ...(await newKey(apiKey, uuid)),
        })
        .returning('*')
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
      const [row] = await Row.query(knex)
        .visibleTo(actor)
        .where('uuid', uuid)
        .patch({
          ...(name !== null && { name }),
          ...(apiKey !== null && {
            ...(await newKey(apiKey, uuid)),
            api_key_version: raw('api_key_version + 1'),
            status: 'ACTIVE',
            error_message: null,
            last_validated_at: raw('clock_timestamp()'),
          }),
          updated_at: TOUCHED,
        })
        .returning('*')
      if (!row) throw new ApiConnectionNotFoundException()
      return toConnection(row)
    },

    async remove(actor, uuid) {
      const deleted = await Row.query(knex).visibleTo(actor).where('uuid', uuid).delete()
      if (deleted === 0) throw new ApiConnectionNotFoundException()
    },
  }
}
