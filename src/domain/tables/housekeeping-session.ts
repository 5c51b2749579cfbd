import type { ClientBase } from 'pg'

import { quoteTable, type TableName } from './table-name.ts'

/** What a session is called while it makes statistics, vacuums or merges: all of it can be ended and done later. */
export const HOUSEKEEPING = 'administration-service housekeeping'

/** Work of ours on the table, or on a partition of it, gives way to a publication; the next one takes it up. */
export async function endHousekeeping(client: ClientBase, table: TableName): Promise<void> {
  await client.query(
    `select pg_cancel_backend(a.pid) from pg_stat_activity a
     where a.application_name = $2 and a.pid <> pg_backend_pid() and exists (
       select from pg_locks l
       where l.pid = a.pid and l.granted and l.locktype = 'relation'
         and (l.relation = to_regclass($1)
              or l.relation in (select inhrelid from pg_inherits where inhparent = to_regclass($1))))`,
    [quoteTable(table), HOUSEKEEPING],
  )
}
