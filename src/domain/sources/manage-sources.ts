import { withTransaction } from '../../db/transaction.ts'
import { SourceNotFoundException } from '../../errors/index.ts'
import { Source as Row } from '../../models/source.ts'
import { TOUCHED } from '../../models/touched.ts'
import { filesOfTable } from '../loads/forget-loads.ts'
import { readTable } from '../loads/generated-table.ts'
import { orInUse } from '../loads/in-use.ts'
import { keepStates } from '../loads/keep-states.ts'
import { LeaseLostError } from '../loads/leases.ts'
import type { KeptFile } from '../loads/load.ts'
import { removeTable } from '../loads/remove-table.ts'
import { disownObject } from '../uploads/disown.ts'
import { type FullSourceRow, toSource, withTable } from './source.ts'
import type { SourcesParts } from './sources-parts.ts'
import type { Sources } from './sources.ts'

/** How long a deletion waits for those who read the table. */
const GIVE_UP_AFTER_MS = 5000

const STATUS = `case when generated_tables.lease_process is not null
  or generated_tables.current_load_id is null then 'LOADING' else 'READY' end`

type Managing = Pick<Sources, 'find' | 'list' | 'change' | 'remove'>

export function manageSources(parts: SourcesParts): Managing {
  const { knex, pool, leases, uploads, loadsKept } = parts
  const find: Sources['find'] = async (actor, uuid) => {
    const row = await withTable(Row.query(knex).visibleTo(actor)).byUuid(uuid)
    if (!row) throw new SourceNotFoundException()
    return toSource(row as FullSourceRow, loadsKept)
  }

  return {
    find,

    async list(actor, { page, limit, search, status }) {
      const query = withTable(Row.query(knex).visibleTo(actor))
      if (search !== undefined) {
        void query.whereRaw('search_fold(sources.name) like search_pattern(?)', [search])
      }
      if (status !== undefined) void query.whereRaw(`${STATUS} = ?`, [status])
      const { items, total } = await query.listRows<FullSourceRow>({ page, limit })
      return { items: items.map((row) => toSource(row, loadsKept)), total }
    },

    async change(actor, uuid, { name, keepLoads }) {
      const { tableId } = await find(actor, uuid)
      await knex.transaction(async (trx) => {
        await Row.query(trx)
          .visibleTo(actor)
          .where('uuid', uuid)
          .patch({ ...(name !== undefined && { name: name.trim() }), updated_at: TOUCHED })
        if (keepLoads !== undefined) {
          await trx.raw('update generated_tables set keep_loads = ? where id = ?', [
            keepLoads,
            tableId,
          ])
        }
      })
      if (keepLoads !== undefined) await keepStates(parts, tableId)
      return find(actor, uuid)
    },

    async remove(actor, uuid) {
      const { id, tableId } = await find(actor, uuid)
      // A deletion holds the table as a load does, so neither can come between the other.
      let files: KeptFile[] = []
      await leases.during(tableId, null, async (lease) => {
        const table = await readTable(pool, tableId)
        await withTransaction(pool, async (client) => {
          const patience = { ...parts.patience, giveUpAfterMs: GIVE_UP_AFTER_MS }
          await orInUse(removeTable(client, table, patience))
          files = await filesOfTable(client, tableId)
          for (const file of files) await disownObject(client, file)
          await client.query('delete from sources where id = $1', [id])
          const { rowCount } = await client.query(
            'delete from generated_tables where id = $1 and lease_token = $2',
            [tableId, lease.token],
          )
          if (rowCount !== 1) throw new LeaseLostError(`The lease of table ${tableId} was lost`)
        })
      })
      for (const file of files) await uploads.discard(file)
    },
  }
}
