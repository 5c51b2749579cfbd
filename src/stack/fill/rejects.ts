import type { ClientBase } from 'pg'

import type { Queries } from '../../db/in-turn.ts'
import { MissingTableError, translateDatabaseError } from '../../db/database-errors.ts'
import { IS_HELD } from '../load.ts'
import { isOurs } from '../table/made-by-others.ts'
import { toItsOwner, rejectsOf } from '../table/enterprise-schemas.ts'
import type { TableKey } from '../table/partitions.ts'
import { quoteTable, type TableName } from '../../../pipelines/index.ts'

/** Created with the first reject; each row names the load that skipped it. */
export async function openRejects(client: ClientBase, table: TableKey): Promise<TableName> {
  const name = rejectsOf(table)
  if (await isOurs(client, name, 'write')) return name
  await client.query(
    `create table if not exists ${quoteTable(name)} (
       id bigint generated always as identity primary key,
       load bigint not null,
       "row" bigint not null, "line" bigint, "column" text, "value" text,
       "message" text not null, "raw" text not null
     )`,
  )
  await client.query(`create index on ${quoteTable(name)} (load); ${toItsOwner(name)}`)
  return name
}

/**
 * Whether a table has rejects that can be read in this transaction: the table belongs to the owner of the rows, so
 * others may have attached something to it.
 */
export const areThere = (client: Queries, table: TableKey): Promise<boolean> =>
  isOurs(client, rejectsOf(table), 'read')

const isCurrent = (column: string): string =>
  `exists (select from loads l where l.id = ${column} and ${IS_HELD})`

/**
 * SQL for the numbers of the rejects that loads of the shown state have corrected. Each load keeps its own numbers,
 * since two branches of states may have corrected the same reject. Asked once a statement, not for each reject.
 */
const corrected = ({ id }: TableKey): string =>
  `coalesce(
     (select range_agg(l.corrects) from loads l where l.table_id = ${id} and l.corrects is not null
        and l.state = 'current'),
     '{}')`

const isOpen = (table: TableKey): string => `not r.id <@ ${corrected(table)}`

/** SQL for the rejects of the shown state that no load of this state has corrected. */
export const shownRejects = (table: TableKey): string =>
  `from ${quoteTable(rejectsOf(table))} r where ${isCurrent('r.load')} and ${isOpen(table)}`

/** SQL for the rejects of one load, shown or not. */
export const rejectsOfLoad = (table: TableKey, loadId: number): string =>
  `from ${quoteTable(rejectsOf(table))} r where r.load = ${loadId}`

export async function countRejects(client: Queries, table: TableKey): Promise<number> {
  if (!(await areThere(client, table))) return 0
  const { rows } = await client.query<{ count: number }>(
    `select count(*) as count ${shownRejects(table)}`,
  )
  return rows[0]!.count
}

/**
 * How many rejects are added when a load joins the shown state; those that were already there are
 * not counted again.
 */
export async function countAddedRejects(
  client: Queries,
  table: TableKey,
  loadId: number,
): Promise<number> {
  if (!(await areThere(client, table))) return 0
  const rejects = quoteTable(rejectsOf(table))
  const { rows } = await client.query<{ added: number }>(
    `select (select count(*) from ${rejects} where load = $1)
       - case when exists (select from loads where id = $1 and corrects is not null) then (
           select count(*) from ${rejects} r
           where r.id <@ (select corrects from loads where id = $1)
             and ${isCurrent('r.load')}) else 0 end as added`,
    [loadId],
  )
  return rows[0]!.added
}

const FORGOTTEN_AT_ONCE = 10_000

/** Loads that are gone for good but still have rejects, which nobody can see any more. */
export async function loadsWithRejectsToForget(
  client: Queries,
  table: TableKey,
): Promise<number[]> {
  if (!(await areThere(client, table))) return []
  const rejects = quoteTable(rejectsOf(table))
  // Jumps from each load to the next through the index, without reading the rejects that stay.
  const { rows } = await client.query<{ load: number }>(
    `with recursive present as (
       select min(load) as load from ${rejects}
       union all
       select (select min(load) from ${rejects} where load > present.load) from present
       where present.load is not null)
     select load from present
     where load is not null
       and not exists (select from loads l where l.id = present.load
                       and l.state in ('running', 'staged', 'current', 'kept'))`,
  )
  return rows.map(({ load }) => load)
}

type Transact = <R>(work: (client: ClientBase) => Promise<R>) => Promise<R>

/** In batches, since there may be millions; without a lease, and while nobody waits. */
export async function forgetRejects(transact: Transact, table: TableKey): Promise<void> {
  try {
    const loads = await transact((client) => loadsWithRejectsToForget(client, table))
    for (const load of loads) {
      const ids = await transact((client) => idsOf(client, table, load))
      for (let from = ids?.first ?? 0; from <= (ids?.last ?? -1); from += FORGOTTEN_AT_ONCE) {
        await transact((client) => forgetSome(client, table, load, from))
      }
    }
  } catch (error) {
    // Somebody removed the table in the meantime, and the rejects with it.
    if (!(translateDatabaseError(error) instanceof MissingTableError)) throw error
  }
}

/** Those of a load lie one after the other, as they came in one COPY; null: there is none that is ours. */
async function idsOf(client: ClientBase, table: TableKey, load: number) {
  const name = rejectsOf(table)
  if (!(await isOurs(client, name, 'write'))) return null
  const { rows } = await client.query<{ first: number | null; last: number }>(
    `select min(id) as first, max(id) as last from (
       select id from ${quoteTable(name)} where load = $1 offset 0) own`,
    [load],
  )
  const { first, last } = rows[0]!
  return first === null ? null : { first, last }
}

/** By ids and not as many as there are: what was deleted before is not passed over again. */
async function forgetSome(
  client: ClientBase,
  table: TableKey,
  load: number,
  from: number,
): Promise<void> {
  const name = rejectsOf(table)
  if (!(await isOurs(client, name, 'write'))) return
  await client.query(`delete from ${quoteTable(name)} where load = $1 and id >= $2 and id < $3`, [
    load,
    from,
    from + FORGOTTEN_AT_ONCE,
  ])
}

/**
 * Marks rejects whose rows were sent again, whether or not they were accepted. Undone together
 * with the load that brought them.
 */
export async function markCorrected(
  client: Queries,
  table: TableKey,
  loadId: number,
  /** Null: all that are shown. */
  ids: Iterable<readonly [from: number, to: number]> | null,
): Promise<void> {
  if (!(await areThere(client, table))) return
  const which =
    ids === null
      ? `(select range_agg(int8range(first, last, '[]')) from (
           select min(id) as first, max(id) as last from (
             select r.id, r.id - row_number() over (order by r.id) as island
             ${shownRejects(table)} and r.load <> $1) numbered
           group by island) islands)`
      : `'{${[...ids].map(([from, to]) => `[${from},${to}]`).join(',')}}'::int8multirange`
  await client.query(`update loads set corrects = ${which} where id = $1`, [loadId])
}

/** For every reject of the shown state: whether it still waits for its correction. */
export async function* readRejectIds(
  client: ClientBase,
  table: TableKey,
): AsyncGenerator<readonly { readonly id: number; readonly open: boolean }[]> {
  if (!(await areThere(client, table))) return
  const AT_ONCE = 10_000
  let after = 0
  for (;;) {
    const { rows } = await client.query<{ id: number; open: boolean }>(
      `select r.id, ${isOpen(table)} as open
       from ${quoteTable(rejectsOf(table))} r
       where ${isCurrent('r.load')} and r.id > $1 order by r.id limit ${AT_ONCE}`,
      [after],
    )
    if (rows.length === 0) return
    after = rows.at(-1)!.id
    yield rows
  }
}
