import { isDeepStrictEqual } from 'node:util'

import type { ClientBase } from 'pg'

import type { TableColumn } from '../../stack/table/stored-column.ts'
import { type Answers, namedAs, shapeOfTable } from './expect.ts'
import { writeShape } from './shape-versions.ts'
import type { FileShape, ShapeColumn } from '../../resources/shape.ts'
import { foldName } from '../../../pipelines/index.ts'
import { MOST_ALIASES } from './shape-columns.ts'

interface Shown {
  readonly tableId: number
  /** The load that is recorded as the publication. */
  readonly loadId: number
  readonly columns: readonly TableColumn[]
}

/**
 * Runs in the transaction of a publication: the shape of the source learns what people have said of
 * the headers of the load, and its own shape follows its table. Returns the columns under the names
 * that the shape has for them by now.
 */
export async function settleShape(
  client: ClientBase,
  { tableId, loadId, columns }: Shown,
): Promise<readonly TableColumn[]> {
  const found = await shapeOfTable(client, tableId, 'for update')
  // The table of a run of a workflow has none.
  if (found === null) return columns
  const memory = learned(found, await answersOf(client, loadId))
  const followed =
    found.sourceId === null ? memory.columns : following({ ...found, ...memory }, columns)
  const change = { columns: followed, left: memory.left }
  if (!isDeepStrictEqual(change, { columns: found.columns, left: found.left })) {
    await writeShape(client, found, change)
  }
  return namedAs({ ...found, ...change }, columns)
}

async function answersOf(client: ClientBase, loadId: number): Promise<Answers> {
  const { rows } = await client.query<{ answers: { given: Answers; remember: boolean } | null }>(
    'select answers from loads where id = $1',
    [loadId],
  )
  const answers = rows[0]?.answers ?? null
  return answers?.remember === true ? answers.given : {}
}

/**
 * The shape of one source alone follows its table: a new column joins it, and a type that was found
 * anew is found there, unless people have given another. Names are the shape's.
 */
function following(
  { columns, heldColumns }: Pick<FileShape, 'columns' | 'heldColumns'>,
  table: readonly TableColumn[],
): readonly ShapeColumn[] {
  const found = new Map(table.map((column) => [column.column, column]))
  const known = new Set(columns.map(({ column }) => column))
  return [
    ...columns.map((column): ShapeColumn => {
      const there = found.get(column.column)
      // An empty column has no type of its own.
      if (there === undefined || there.sent === false || heldColumns.includes(column.column)) {
        return column
      }
      return { ...column, ...foundType(column, there) }
    }),
    ...table
      .filter(({ column }) => !known.has(column))
      .map(({ name, column, type, dateFormat, pattern }) => ({
        name,
        column,
        type,
        ...(dateFormat && { dateFormat }),
        ...(pattern && { pattern }),
        aliases: [],
        rules: [],
      })),
  ]
}

/** Of an upsert nothing is said of how its dates were written: then it stays as it was. */
function foundType(
  before: ShapeColumn,
  { type, dateFormat, pattern }: TableColumn,
): Pick<ShapeColumn, 'type' | 'dateFormat' | 'pattern'> {
  if (type !== 'date') return { type, dateFormat: undefined, pattern: undefined }
  const isSilent = dateFormat === undefined && pattern === undefined
  return isSilent
    ? { type, dateFormat: before.dateFormat, pattern: before.pattern }
    : { type, dateFormat, pattern }
}

const LONGEST_ALIAS = 255

type Memory = Pick<FileShape, 'columns' | 'left'>

/**
 * What a shape remembers of it. The last answer counts: a header stands for one column. The name of
 * another column is no alias, since names come before aliases, nor is what folds to its own name.
 */
function learned({ columns, left }: Memory, answers: Answers): Memory {
  const said = Object.entries(answers)
  const byName = new Map(columns.map((column) => [column.name, column]))
  const bySql = new Map(columns.map((column) => [column.column, column]))
  const aliases = new Map<ShapeColumn, string[]>()
  for (const [header, name] of said) {
    const column = name === null ? undefined : (byName.get(name) ?? bySql.get(name))
    if (column === undefined || byName.has(header) || [...header].length > LONGEST_ALIAS) continue
    aliases.set(column, [...(aliases.get(column) ?? []), header])
  }
  const taken = new Set([...aliases.values()].flat())
  let room = MOST_ALIASES - columns.reduce((sum, column) => sum + column.aliases.length, 0)
  return {
    columns: columns.map((column) => {
      const kept = column.aliases.filter(
        (alias) => !taken.has(alias) || aliases.get(column)?.includes(alias),
      )
      const added = (aliases.get(column) ?? []).filter((alias) => isNew(alias, column, kept))
      const fitting = added.slice(0, Math.max(0, room))
      room -= fitting.length
      if (fitting.length === 0 && kept.length === column.aliases.length) return column
      return { ...column, aliases: [...kept, ...fitting] }
    }),
    left: [
      ...left.filter((header) => answers[header] === undefined || answers[header] === null),
      ...said
        .filter(([header, name]) => name === null && !left.includes(header))
        .map(([header]) => header)
        .filter((header) => [...header].length <= LONGEST_ALIAS),
    ].slice(-MOST_LEFT),
  }
}

/** Beyond it, the oldest are forgotten. */
const MOST_LEFT = 1600

const isNew = (alias: string, { name }: ShapeColumn, kept: readonly string[]): boolean =>
  !kept.includes(alias) && (foldName(alias) === '' || foldName(alias) !== foldName(name))
