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
import { widened } from './stored-column.ts'

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
