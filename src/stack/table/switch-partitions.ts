import type { ClientBase } from 'pg'

import { quoteText, quoteName, quoteTable, type TableName } from '../../../pipelines/index.ts'
import {
  endHousekeeping,
  inTries,
  type LockSql,
  type Patience,
  RECORDS_MAY_WAIT,
} from './lock-table.ts'
import { toItsOwner } from './enterprise-schemas.ts'
import { type Partition, ROW } from './partitions.ts'
import { orReferredTo, refuseReferences } from './made-by-others.ts'
import type { ShapeChange } from '../stack.ts'
import { definitionsOf, type TableColumn } from './stored-column.ts'
import { placeBeside, type TableEngine } from './table-engine.ts'

interface Switch {
  readonly table: TableName
  readonly shape: ShapeChange
  readonly detach: readonly Partition[]
  /** Already aligned with the table. */
  readonly attach: readonly Partition[]
}

/** The moment in which a table changes what it shows. Its duration does not depend on the number of rows. */
export async function switchPartitions(
  client: ClientBase,
  change: Switch,
  engine: TableEngine,
  patience: Patience,
): Promise<void> {
  try {
    await inTries(client, change.table, patience, (lock) => trySwitch(client, change, engine, lock))
  } catch (error) {
    throw orReferredTo(error, change.table)
  }
}

/**
 * An existing table is switched in a single query: with several, readers would also wait for the
 * round trips.
 */
async function trySwitch(
  client: ClientBase,
  { table, shape, detach, attach }: Switch,
  engine: TableEngine,
  lock: LockSql,
): Promise<void> {
  const attaching = attach.map(
    ({ name, range }) =>
      `alter table ${quoteTable(table)} attach partition ${quoteTable(name)}
       for values from (${range.from}) to (${range.to})`,
  )
  if (!shape.isThere) {
    await createTable(client, table, shape.added)
    for (const { name } of attach.slice(0, 1)) await placeBeside(engine, client, table, name)
    await engine.change(client, [...attaching, RECORDS_MAY_WAIT])
    return
  }
  const changes = [...columnChanges(table, shape)]
  const isAlone = detach.length > 0 || changes.length > 0
  const namesOf = (partitions: readonly Partition[]) => partitions.map(({ name }) => name)
  if (isAlone) await awaitHousekeeping(client, table, namesOf([...detach, ...attach]))
  await engine.change(client, [
    // The loads' own tables are locked first: a reader who is comparing one of them then delays
    // only this publication, and not the readers of the table.
    ...(isAlone ? [lock(...namesOf(attach), table, ...namesOf(detach))] : []),
    ...(detach.length > 0 ? [refuseReferences(table, namesOf(detach))] : []),
    ...detach.map(
      ({ name }) => `alter table ${quoteTable(table)} detach partition ${quoteTable(name)}`,
    ),
    ...changes,
    ...columnNames(table, shape.added),
    ...attaching,
    RECORDS_MAY_WAIT,
  ])
}

/**
 * Housekeeping takes a moment to stop when it is told to. This waits for it with a lock that never
 * blocks readers and keeps other housekeeping from starting.
 */
async function awaitHousekeeping(
  client: ClientBase,
  table: TableName,
  partitions: readonly TableName[],
): Promise<void> {
  await endHousekeeping(client, table)
  const all = [table, ...partitions].map(quoteTable)
  await client.query(`lock table only ${all.join(', only ')} in share update exclusive mode`)
}

async function createTable(
  client: ClientBase,
  table: TableName,
  columns: readonly TableColumn[],
): Promise<void> {
  const create = `create table ${quoteTable(table)} (
      ${ROW} bigint not null${definitionsOf(columns)}, primary key (${ROW}))
    partition by range (${ROW})`
  await client.query([create, ...columnNames(table, columns), toItsOwner(table)].join(';\n'))
}

/** Types change while no partition is attached, so there is nothing to convert; `only` makes sure of it. */
function* columnChanges(
  table: TableName,
  { added, retyped, dropped }: ShapeChange,
): Generator<string> {
  const others = [
    ...dropped.map((column) => `drop column ${quoteName(column)}`),
    ...added.map(({ column, sqlType }) => `add column ${quoteName(column)} ${sqlType}`),
  ]
  if (others.length > 0) yield `alter table ${quoteTable(table)} ${others.join(', ')}`
  const types = retyped.map(
    ({ column, to }) => `alter column ${quoteName(column)} type ${to} using null::${to}`,
  )
  if (types.length > 0) yield `alter table only ${quoteTable(table)} ${types.join(', ')}`
}

/** For people who look at the table with SQL. They may change the comments: nothing reads them. */
const columnNames = (table: TableName, columns: readonly TableColumn[]): string[] =>
  columns
    .filter(({ name, column }) => name !== column)
    .map(
      ({ name, column }) =>
        `comment on column ${quoteTable(table)}.${quoteName(column)} is ${quoteText(name)}`,
    )
