import type { ClientBase } from 'pg'

import { SourceInUseException } from '../../errors/index.ts'
import type { WholeTable } from '../citus/distribute.ts'
import { tableMessages } from './table-messages.ts'
import { loadsSchemaOf, quoteTable, type TableName } from './table-name.ts'

/**
 * The numbers of the partitions that are recorded as attached and still are: others may have
 * detached or dropped some. A table that they renamed is refused, since it is the one with the
 * rows.
 */
export async function partsInPlace(client: ClientBase, table: WholeTable): Promise<Set<number>> {
  const { rows } = await client.query<{ id: number } & TableName>(
    `select l.id, place.nspname as schema, whole.relname as "table"
     from load_tables l
     join pg_inherits i on i.inhrelid = to_regclass(format('%I.%I', $2::text, l.name))
     join pg_class whole on whole.oid = i.inhparent
     join pg_namespace place on place.oid = whole.relnamespace
     where l.table_id = $1 and l.is_attached`,
    [table.id, loadsSchemaOf(table.enterpriseId)],
  )
  const elsewhere = rows.find((whole) => quoteTable(whole) !== quoteTable(table.name))
  if (elsewhere !== undefined) throw renamed(table, elsewhere)
  return new Set(rows.map(({ id }) => id))
}

/** The new name is told only if it is in the enterprise's own schema. */
function renamed({ name }: WholeTable, now: TableName) {
  return new SourceInUseException(
    tableMessages.renamedByOthers({
      table: name.table,
      now: now.schema === name.schema ? now.table : null,
    }),
  )
}
