import { raw } from 'objection'

import {
  DependentObjectsError,
  LockTimeoutError,
  translateDatabaseError,
} from '../../db/database-errors.ts'
import { withTransaction } from '../../db/transaction.ts'
import { SourceBusyException, SourceNotFoundException } from '../../errors/index.ts'
import { Source as Row } from '../../models/source.ts'
import { quoteTable } from '../tables/table-name.ts'
import { disownObject } from '../uploads/disown.ts'
import type { StoredFile } from '../uploads/read-while-storing.ts'
import { rejectsTableOf, tableOf, toSource } from './source.ts'
import type { SourcesParts } from './sources-parts.ts'
import type { Sources } from './sources.ts'

/** How long a deletion waits for those who read the table. */
const LOCK_TIMEOUT_MS = 5000

type Managing = Pick<Sources, 'find' | 'list' | 'rename' | 'remove'>

export function manageSources({ knex, pool, leases, uploads }: SourcesParts): Managing {
  const find: Sources['find'] = async (actor, uuid) => {
    const row = await Row.query(knex).visibleTo(actor).byUuid(uuid)
    if (!row) throw new SourceNotFoundException()
    return toSource(row)
  }

  return {
    find,

    async list(actor, { page, limit, search, status }) {
      const query = Row.query(knex).visibleTo(actor)
      if (search !== undefined) {
        void query.whereRaw('search_fold(name) like search_pattern(?)', [search])
      }
      if (status === 'LOADING') void query.whereNotNull('busy_by')
      else if (status !== undefined) void query.where('status', status).whereNull('busy_by')
      const { results, total } = await query.orderBy('id', 'desc').page(page - 1, limit)
      return { items: results.map(toSource), total }
    },

    async rename(actor, uuid, name) {
      const [row] = await Row.query(knex)
        .visibleTo(actor)
        .where('uuid', uuid)
        .patch({
          name: name.trim(),
          updated_at: raw("greatest(clock_timestamp(), updated_at + interval '1 millisecond')"),
        })
        .returning('*')
      if (!row) throw new SourceNotFoundException()
      return toSource(row)
    },

    async remove(actor, uuid) {
      const { id } = await find(actor, uuid)
      // A deletion holds the source as a load does, so neither can come between the other.
      const lease = await leases.take(id, null)
      let file: StoredFile | null = null
      try {
        // Again: a load that ended just before may have brought another file.
        const source = await find(actor, uuid)
        file = source.file
        await withTransaction(pool, async (client) => {
          await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
          await leases.check(client, lease)
          await client.query(`drop table if exists ${quoteTable(tableOf(source))}`)
          await client.query(`drop table if exists ${quoteTable(rejectsTableOf(source))}`)
          if (file) await disownObject(client, file)
          await client.query('delete from sources where id = $1', [id])
        })
      } catch (error) {
        await leases.giveBack(lease)
        throw whyKept(error)
      }
      if (file) await uploads.discard(file)
    },
  }
}

/** The table is in use by somebody who is not of this service. */
function whyKept(error: unknown): unknown {
  const known = translateDatabaseError(error)
  if (known instanceof LockTimeoutError) {
    const text = 'Others read the table; try again when they are done'
    return new SourceBusyException(text, { cause: error })
  }
  if (known instanceof DependentObjectsError) {
    const text = `Other objects of the database depend on the table: ${known.dependents}`
    return new SourceBusyException(text, { cause: error })
  }
  return error
}
