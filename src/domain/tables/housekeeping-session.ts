import type { ClientBase } from 'pg'

import { quoteTable, type TableName } from './table-name.ts'

const HOUSEKEEPING = ' housekeeping'

/** While it makes statistics, vacuums or merges a session says so in its name: all of it can be ended and done later. */
export async function nameHousekeeping(client: ClientBase): Promise<void> {
  await client.query(
    `select set_config('application_name', current_setting('application_name') || $1, false)`,
    [HOUSEKEEPING],
  )
}

export async function unnameHousekeeping(client: ClientBase): Promise<void> {
  await client.query('reset application_name')
}

/** Work of ours on the table, or on a partition of it, gives way to a publication; the next one takes it up. */
export async function endHousekeeping(client: ClientBase, table: TableName): Promise<void> {
  await client.query(
    `select pg_cancel_backend(a.pid) from pg_stat_activity a
     where a.application_name like '%' || $2 and a.pid <> pg_backend_pid() and exists (
       select from pg_locks l
       where l.pid = a.pid and l.granted and l.locktype = 'relation'
         and (l.relation = to_regclass($1)
              or l.relation in (select inhrelid from pg_inherits where inhparent = to_regclass($1))))`,
    [quoteTable(table), HOUSEKEEPING],
  )
}
