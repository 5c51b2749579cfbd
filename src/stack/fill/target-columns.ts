import type { Pool, ClientBase } from 'pg'

import {
  type Expectation,
  type TargetColumn,
  type TargetColumns,
  quoteText,
  quoteName,
  quoteTable,
  type TableName,
} from '../../../pipelines/index.ts'
import { bindColumns, type Expected } from '../../domain/shapes/expect.ts'
import { emptyColumn } from '../../domain/shapes/shape-columns.ts'
import type { FileShape, ShapeColumn } from '../../resources/shape.ts'
import { readColumns, dependentsOfColumns } from '../table/catalogue.ts'
import type { LoadMode } from '../load.ts'
import type { GeneratedTable } from '../stack.ts'
import type { StoredColumn, TableColumn } from '../table/stored-column.ts'

/** The columns that a load fills: whatever it has, or those of the table and its shape. */
export async function targetColumns(
  pool: Pool,
  table: GeneratedTable,
  mode: LoadMode,
  expects: Expected | null,
): Promise<TargetColumns> {
  if (expects === null) return { kind: 'any' }
  const { admit } = expects
  const expectation = expecting(expects, await knownColumns(pool, table, mode, expects))
  return { kind: 'expected', expectation, ...(admit && { admit }) }
}

interface Expecting extends Pick<Expected, 'given'>, Partial<Pick<Expected, 'recall'>> {
  readonly shape: ColumnsOfShape & Pick<FileShape, 'unknown' | 'missing' | 'left' | 'rules'>
}

type ColumnsOfShape = Pick<FileShape, 'columns' | 'heldColumns'>

function expecting(
  { shape, given, recall }: Expecting,
  columns: readonly TargetColumn[],
): Expectation {
  const { unknown, missing, left, rules } = shape
  return { columns, unknown, missing, given, left, rules, ...(recall && { recall }) }
}

/** What a shape expects of files; `held`: the columns to whose rows theirs are added, if there are any. */
export const expectationOfShape = (
  expects: Expecting,
  held: readonly StoredColumn[] | null = null,
): Expectation =>
  expecting(
    expects,
    expectedColumns(expects.shape, held ?? [], {
      rowsAreAdded: held !== null,
      isText: () => false,
    }),
  )

async function knownColumns(
  pool: Pool,
  table: GeneratedTable,
  mode: LoadMode,
  { shape }: Expected,
): Promise<TargetColumn[]> {
  const rowsAreAdded = mode.kind !== 'replace'
  const isText = rowsAreAdded ? () => false : await textOfOthers(pool, table)
  return expectedColumns(shape, table.columns, { rowsAreAdded, isText })
}

interface How {
  /** Rows are added to those of the table, whose types count. */
  readonly rowsAreAdded: boolean
  /** Whether a column has to stay text. */
  isText(column: StoredColumn): boolean
}

/** The columns of a shape, and others that a table has, as a load meets them. */
export function expectedColumns(
  shape: ColumnsOfShape,
  columns: readonly StoredColumn[],
  { rowsAreAdded, isText }: How,
): TargetColumn[] {
  const bound = bindColumns(shape, columns)
  const there = new Map(
    columns.flatMap((column) => {
      const expected = bound.get(column.column)
      return expected === undefined ? [] : [[expected, column]]
    }),
  )
  const held = new Set(shape.heldColumns)
  const holdsOf = (column: StoredColumn | undefined, expected: ShapeColumn | null) => {
    if (column !== undefined && rowsAreAdded) return 'rows' as const
    if (expected !== null && held.has(expected.column)) return 'type' as const
    return column !== undefined && isText(column) ? ('text' as const) : ('nothing' as const)
  }
  return [
    ...shape.columns.map((expected): TargetColumn => {
      const column = there.get(expected)
      const holds = holdsOf(column, expected)
      const { name, aliases } = expected
      const read: Notation = holds === 'rows' ? column! : expected
      return {
        name,
        column: column?.column ?? expected.column,
        aliases,
        isExpected: true,
        type: read.type,
        ...(column !== undefined && { sqlType: column.sqlType }),
        ...(read.dateFormat && { dateFormat: read.dateFormat }),
        ...(read.pattern && { pattern: read.pattern }),
        rules: expected.rules,
        holds,
      }
    }),
    ...columns
      .filter(({ column }) => !bound.has(column))
      .map((column) => ({
        ...column,
        aliases: [],
        isExpected: false,
        holds: holdsOf(column, null),
      })),
  ]
}

type Notation = Pick<ShapeColumn, 'type' | 'dateFormat' | 'pattern'>

/** A text column that others use has to stay text, so its values are kept as they are written. */
async function textOfOthers(pool: Pool, { name }: GeneratedTable): Promise<How['isText']> {
  const client = await pool.connect()
  try {
    const dependentsOf = await dependentsOfColumns(client, name)
    const used = new Set(
      (await readColumns(client, name))
        .filter(({ position, sqlType }) => sqlType === 'text' && dependentsOf(position).count > 0)
        .map(({ column }) => column),
    )
    return ({ column }) => used.has(column)
  } finally {
    client.release()
  }
}

/** The columns of the shape that neither the table nor the load has: the table gets them, empty. */
export function absentColumns(
  expects: Expected | null,
  { columns }: GeneratedTable,
  loaded: readonly TableColumn[],
): readonly TableColumn[] {
  if (expects === null) return []
  const { shape } = expects
  const all = [...columns, ...loaded]
  const bound = new Set(bindColumns(shape, all).values())
  const there = new Set(all.map(({ column }) => column))
  return shape.columns
    .filter((column) => !bound.has(column) && !there.has(column.column))
    .map(emptyColumn)
}

/** What the service says of every row of a load, whatever was sent. */
export interface Label {
  /** A text column, by its name in SQL. */
  readonly column: string
  readonly value: string | null
}

/**
 * Sets them on all rows at once. They are written anew: a default at the moment when a column is added would be kept
 * beside them, in a catalogue that every role of the database can read.
 */
export async function labelRows(
  client: ClientBase,
  partition: TableName,
  labels: readonly Label[],
): Promise<void> {
  if (labels.length === 0) return
  const table = quoteTable(partition)
  const all = (action: (label: Label, name: string) => string) =>
    labels.map((label) => action(label, quoteName(label.column))).join(', ')
  const valueOf = ({ value }: Label) => (value === null ? 'null' : quoteText(value))
  await client.query(
    `alter table ${table} ${all((_, name) => `drop column if exists ${name}`)};
     alter table ${table} ${all((_, name) => `add column ${name} text`)};
     alter table ${table} ${all((label, name) => `alter column ${name} type text using ${valueOf(label)}`)}`,
  )
}

/** The columns of a load, with those that the service fills. */
export function withLabels<C extends TableColumn>(
  columns: readonly C[],
  labels: readonly Label[],
  table: Pick<GeneratedTable, 'columns'>,
): readonly (C | TableColumn)[] {
  const filled = new Set(labels.map(({ column }) => column))
  return [
    ...columns.filter(({ column }) => !filled.has(column)),
    ...table.columns
      .filter(({ column }) => filled.has(column))
      .map(({ name, column }) => ({
        name,
        column,
        type: 'text' as const,
        sqlType: 'text' as const,
      })),
  ]
}

/** Those that the table has: somebody may have taken its columns away. */
export const labelsIn = (
  { columns }: Pick<GeneratedTable, 'columns'>,
  labels: readonly Label[] = [],
): readonly Label[] => labels.filter(({ column }) => columns.some((each) => each.column === column))
