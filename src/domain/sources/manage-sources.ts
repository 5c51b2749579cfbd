import { raw } from 'objection'

import type { Queries } from '../../db/in-turn.ts'
import { connectionOf } from '../../db/knex.ts'
import { withTransaction } from '../../db/transaction.ts'
import { invalidFields, SourceInUseException, SourceNotFoundException } from '../../errors/index.ts'
import { SourceModel } from '../../models/source.ts'
import { TOUCHED } from '../../models/touched.ts'
import { source, SOURCE_STATUS } from '../../resources/source.ts'
import { disownFiles } from '../../stack/keep/forget.ts'
import { readTable } from '../../stack/look.ts'
import { orInUse } from '../../stack/table/made-by-others.ts'
import { keepStates } from '../../stack/keep/keep-states.ts'
import { LeaseLostError } from '../../stack/leases.ts'
import { removeTable } from '../../stack/table/remove-table.ts'
import { refuseCollected } from '../collections/refuse-collected.ts'
import { seenBy, type Actor } from '../actor.ts'
import { type Source, toSource, withTable } from './source.ts'
import { sourceMessages } from './source-messages.ts'
import type {
  SourcesParts,
  DescribedHeader,
  Finders,
  SourceChange,
  SourceListQuery,
} from './sources.ts'
import type { Recording } from '../../resources/alongside.ts'
import type { Page } from '../../resources/page.ts'

/** How long a deletion waits for those who read the table. */
const GIVE_UP_AFTER_MS = 5000

export function manageSources(parts: SourcesParts) {
  const { knex, pool, leases, housekeeping, loadsKept } = parts
  const find: Finders['find'] = async (actor, uuid) => {
    const found = await withTable(SourceModel.query(knex).visibleTo(actor))
      .byUuid(uuid)
      .oneAs(source)
    if (!found) throw new SourceNotFoundException()
    return seenBy(actor, toSource(found, loadsKept))
  }

  return {
    find,

    async list(
      actor: Actor,
      { search, status, ...request }: SourceListQuery,
      signal: AbortSignal,
    ): Promise<Page<Source>> {
      const query = SourceModel.query(knex).visibleTo(actor)
      if (search !== undefined) {
        // By the name of its table as well, under which SQL users know it.
        void query.whereRaw(
          '(search_fold(sources.name) like search_pattern(?) or generated_tables.name like search_pattern(?))',
          [search, search],
        )
      }
      if (status !== undefined) void query.whereRaw(`${SOURCE_STATUS} = ?`, [status])
      // The count joins tables and loads only if a condition needs them.
      const isChosenByTable = status !== undefined || search !== undefined
      if (isChosenByTable) void withTable(query)
      const beside = isChosenByTable ? undefined : withTable
      const { items, total } = await query.listAs(source, request, signal, beside)
      const shown = items.map((found) => seenBy(actor, toSource(found, loadsKept)))
      return { items: shown, total }
    },

    async change(
      actor: Actor,
      uuid: string,
      given: SourceChange,
      record: Recording,
    ): Promise<Source> {
      const { name, description, columns = [], keepLoads, shapeUuid } = given
      const found = await find(actor, uuid)
      const { tableId } = found
      requireHeaders(found, columns)
      if (shapeUuid !== undefined) await parts.shapes.giveTo(actor, found, shapeUuid)
      await knex.transaction(async (trx) => {
        // The table before its source: so do publications, which would else wait for this one for ever.
        if (keepLoads !== undefined) {
          await trx.raw(
            'update generated_tables set keep_loads = ?, forgetting_due = true where id = ?',
            [keepLoads, tableId],
          )
        }
        await SourceModel.query(trx)
          .visibleTo(actor)
          .where('uuid', uuid)
          .patch({
            ...(name !== undefined && { name: name.trim() }),
            ...(description !== undefined && { description: trimmed(description) }),
            ...(columns.length > 0 && { column_descriptions: describedBy(columns) }),
            updated_at: TOUCHED,
          })
        await record?.(await connectionOf(trx))
      })
      if (keepLoads !== undefined) {
        await keepStates(parts, tableId)
        housekeeping.after(tableId)
      }
      return find(actor, uuid)
    },

    async remove(actor: Actor, uuid: string, record: Recording): Promise<void> {
      const { id, tableId, enterpriseId } = await find(actor, uuid)
      await refuseLookedUp(pool, uuid, enterpriseId)
      // A deletion takes the table's lease as a load does, so neither can interfere with the
      // other.
      await leases.during(tableId, null, async (lease) => {
        await refuseCollected(pool, id)
        const table = await readTable(pool, tableId)
        await withTransaction(pool, async (client) => {
          const patience = { ...parts.patience, giveUpAfterMs: GIVE_UP_AFTER_MS }
          await orInUse(() => removeTable(client, table, patience))
          await disownFiles(client, tableId)
          // And the source with it.
          const { rowCount } = await client.query(
            'delete from generated_tables where id = $1 and lease_token = $2',
            [tableId, lease.token],
          )
          if (rowCount !== 1) throw LeaseLostError.ofTable(tableId)
          // Somebody may have made such a rule meanwhile; from here on nobody can.
          await refuseLookedUp(client, uuid, enterpriseId)
          await record?.(client)
        })
      })
      housekeeping.after(tableId)
    },
  }
}

const trimmed = (text: string | null): string | null => text?.trim() || null

function requireHeaders(found: Source, columns: readonly DescribedHeader[]): void {
  const headers = new Set(found.columns.map(({ name }) => name))
  const errors = columns.flatMap(({ name }, at) =>
    headers.has(name)
      ? []
      : [{ pointer: `/columns/${at}/name`, message: sourceMessages.notAHeader() }],
  )
  if (errors.length > 0) throw invalidFields(errors)
}

/**
 * Merges the given descriptions with the existing ones; others may be describing other columns at
 * the same time.
 */
function describedBy(columns: readonly DescribedHeader[]) {
  const texts = columns.map(({ name, description }) => [name, trimmed(description)] as const)
  const given = Object.fromEntries(texts.filter(([, text]) => text !== null))
  const none = texts.filter(([, text]) => text === null).map(([name]) => name)
  return raw('(column_descriptions || ?::jsonb) - ?::text[]', [JSON.stringify(given), none])
}

/** The rules of other shapes want its values. */
async function refuseLookedUp(queries: Queries, uuid: string, enterpriseId: number): Promise<void> {
  const { rows } = await queries.query<{ name: string }>(
    `select coalesce(sh.name, s.name) as name
     from shapes sh left join sources s on s.id = sh.source_id
     where sh.enterprise_id = $1 and sh.columns @> $2::jsonb and s.uuid is distinct from $3
     order by sh.id limit 5`,
    [enterpriseId, JSON.stringify([{ rules: [{ in: { sourceUuid: uuid } }] }]), uuid],
  )
  if (rows.length === 0) return
  const names = rows.map(({ name }) => name)
  throw new SourceInUseException(sourceMessages.lookedUp({ names }))
}
