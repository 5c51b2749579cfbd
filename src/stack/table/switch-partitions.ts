import type { ClientBase } from 'pg'

import { type SqlType, quoteName, quoteTable, type TableName } from '../../../pipelines/index.ts'
import {
  type Attachment,
  type CatalogueColumn,
  collated,
  createIndex,
  readColumns,
  readConstraints,
  readIndexes,
} from './catalogue.ts'
import type { ShapeChange } from '../stack.ts'
import { columnComments, definitionsOf, type TableColumn, widened } from './stored-column.ts'
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
import { placeBeside, type TableEngine } from './table-engine.ts'

/**
 * Gives a table that is to be attached what the partitioned one has: its columns, and copies of
 * the indexes, checks and references that people put on it. What takes time is done here, before
 * the switch.
 */
export async function alignPartition(
  client: ClientBase,
  table: TableName,
  partition: TableName,
  shape: ShapeChange,
): Promise<void> {
  await alignColumns(client, partition, shape)
  if (!shape.isThere) return
  await copyIndexes(client, table, partition)
  await copyConstraints(client, table, partition)
}

type FinalColumn = Omit<CatalogueColumn, 'position'>

function finalColumns({ staying, retyped, added }: ShapeChange): FinalColumn[] {
  const types = new Map(retyped.map(({ column, to }) => [column, to]))
  return [
    ...staying.map((column) => {
      const to = types.get(column.column)
      return to === undefined ? column : { ...column, ...plainly(to) }
    }),
    ...added.map(({ column, sqlType }) => ({
      column,
      ...plainly(sqlType),
      isRequired: false,
      isGenerated: false,
    })),
  ]
}

/** A column as a load creates it. */
const plainly = (sqlType: SqlType) => ({
  sqlType,
  type: sqlType,
  collation: null,
  definition: sqlType,
})

async function alignColumns(
  client: ClientBase,
  partition: TableName,
  shape: ShapeChange,
): Promise<void> {
  const wanted = finalColumns(shape)
  const held = new Map((await readColumns(client, partition)).map((each) => [each.column, each]))
  const actions = wanted.flatMap((column) => alignColumn(column, held.get(column.column)))
  const names = new Set(wanted.map(({ column }) => column))
  for (const column of held.keys()) {
    if (!names.has(column)) actions.push(`drop column ${quoteName(column)}`)
  }
  if (actions.length === 0) return
  await client.query(`alter table ${quoteTable(partition)} ${actions.join(', ')}`)
}

function alignColumn(wanted: FinalColumn, held: CatalogueColumn | undefined): string[] {
  const name = quoteName(wanted.column)
  const add = `add column ${name} ${wanted.definition}${wanted.isRequired ? ' not null' : ''}`
  if (held === undefined) return [add]
  // A generated column has no values of its own that could be lost.
  const isOfOthers = wanted.isGenerated || held.isGenerated
  if (isOfOthers && wanted.definition !== held.definition) return [`drop column ${name}`, add]
  const actions: string[] = []
  if (typeOf(wanted) !== typeOf(held)) {
    actions.push(`alter column ${name} type ${collated(wanted)} using ${valueIn(wanted, held)}`)
  }
  if (wanted.isRequired && !held.isRequired) actions.push(`alter column ${name} set not null`)
  return actions
}

const typeOf = ({ sqlType, type, collation }: FinalColumn): string =>
  collated({ type: sqlType ?? type, collation })

function valueIn(wanted: FinalColumn, { column, sqlType }: CatalogueColumn): string {
  const isOurs = sqlType !== null && wanted.sqlType !== null && sqlType !== wanted.sqlType
  return isOurs
    ? widened({ column, sqlType }, wanted.sqlType)
    : `${quoteName(column)}::${wanted.type}`
}

async function copyIndexes(
  client: ClientBase,
  table: TableName,
  partition: TableName,
): Promise<void> {
  const there = (await readIndexes(client, partition)).map(({ definition }) => definition)
  for (const index of await readIndexes(client, table)) {
    const at = there.indexOf(index.definition)
    // Two identical indexes on the table need two on the partition.
    if (at === -1) await client.query(createIndex(partition, index))
    else there.splice(at, 1)
  }
}

async function copyConstraints(
  client: ClientBase,
  table: TableName,
  partition: TableName,
): Promise<void> {
  const there = new Map(
    (await readConstraints(client, partition)).map(({ name, definition }) => [name, definition]),
  )
  for (const { name, definition } of await readConstraints(client, table)) {
    if (there.get(name) === definition) continue
    if (there.has(name)) {
      await client.query(`alter table ${quoteTable(partition)} drop constraint ${quoteName(name)}`)
    }
    await client.query(addConstraint(partition, { name, definition }))
  }
}

export const addConstraint = (table: TableName, { name, definition }: Attachment): string =>
  `alter table ${quoteTable(table)} add constraint ${quoteName(name)} ${definition}`

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
    ...columnComments(table, shape.added),
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
  await client.query([create, ...columnComments(table, columns), toItsOwner(table)].join(';\n'))
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
