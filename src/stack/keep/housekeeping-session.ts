import type { ClientBase } from 'pg'

import { quoteTable, type TableName } from '../table/table-name.ts'

const HOUSEKEEPING = ' housekeeping'

/**
 * While a session updates statistics, vacuums or merges, it says so in its name: all of that can
 * be interrupted and done later.
 */
export async function nameHousekeeping(client: ClientBase): Promise<void> {
  await client.query(
    `select set_config('application_name', current_setting('application_name') || $1, false)`,
    [HOUSEKEEPING],
  )
}

export async function unnameHousekeeping(client: ClientBase): Promise<void> {
  await client.query('reset application_name')
}

/**
 * Interrupts the service's own housekeeping on the table or a partition of it, in favour of a
 * publication; the housekeeping after the next publication catches up.
 */
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
