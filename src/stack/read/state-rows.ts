import type { ClientBase } from 'pg'

import { type SqlType, quoteTable, type TableName } from '../../../pipelines/index.ts'
import { readColumns } from '../table/catalogue.ts'
import { inRange, ROW, type RowRange } from '../table/partitions.ts'
import { commonType, inType } from '../table/stored-column.ts'
import { READ_FIRST } from '../table/table-engine.ts'

/**
 * A table with rows of a state, whether or not that state is shown, and which of its rows belong
 * to the state.
 */
export interface Piece {
  readonly name: TableName
  /** Rows with these numbers are not part of the state. */
  readonly except: readonly RowRange[]
  /** Nor are rows whose numbers also occur in these tables. */
  readonly without: readonly TableName[]
  /** Nor are rows that are replaced because their key was loaded here. */
  readonly replacedBy: { readonly loaded: TableName; readonly key: KeyColumn } | null
}

interface KeyColumn {
  readonly column: string
  readonly sqlType: SqlType
}

/** All tables that must not change while the rows are read. */
export const tablesOf = (pieces: readonly Piece[]): TableName[] =>
  pieces.flatMap(({ name, without, replacedBy }) => [
    name,
    ...without,
    ...(replacedBy === null ? [] : [replacedBy.loaded]),
  ])

/** With the type of each of its columns, by their names in SQL. */
export interface TypedPiece extends Piece {
  readonly types: ReadonlyMap<string, SqlType>
}

export async function readTypes(
  client: ClientBase,
  pieces: readonly Piece[],
): Promise<TypedPiece[]> {
  const typed: TypedPiece[] = []
  for (const piece of pieces) {
    const types = new Map<string, SqlType>()
    for (const { column, sqlType } of await readColumns(client, piece.name)) {
      if (sqlType !== null) types.set(column, sqlType)
    }
    typed.push({ ...piece, types })
  }
  return typed
}

/** The type in which all pieces can show a column that is recorded as `known`. */
export const typeIn = (pieces: readonly TypedPiece[], { column, sqlType }: KeyColumn): SqlType =>
  pieces.reduce((type, { types }) => commonType(type, types.get(column) ?? type), sqlType)

/** A column of a state, and how to read it. */
interface ReadColumn {
  /** Its name in SQL; null: the state does not have it. */
  readonly column: string | null
  readonly as: string
  /** At least as wide as in any of the pieces. */
  readonly sqlType: SqlType
}

interface RowChoice {
  /** A condition on a row `p`. */
  readonly which?: string
  /** The share of rows to read, sampled by blocks. */
  readonly percent?: number
}

/** SQL for a table of the rows: their numbers and the columns. */
export function selectRows(
  pieces: readonly TypedPiece[],
  columns: readonly ReadColumn[],
  { which = 'true', percent = 100 }: RowChoice = {},
): string {
  const sample = percent < 100 ? ` tablesample system (${percent}) repeatable (1)` : ''
  const selects = pieces.map((piece) => {
    const list = [ROW, ...columns.map((column) => readAs(column, piece.types))]
    const conditions = [which, ...conditionsOf(piece)]
    return `select ${list.join(', ')} from ${quoteTable(piece.name)} p${sample}
      where ${conditions.join(' and ')}`
  })
  if (selects.length > 0) return `(${selects.join('\n union all ')})`
  const none = columns.map(({ as, sqlType }) => `null::${sqlType} as ${as}`)
  return `(select ${[`null::bigint as ${ROW}`, ...none].join(', ')} where false)`
}

export async function countRows(
  client: ClientBase,
  pieces: readonly TypedPiece[],
): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*) as count from ${selectRows(pieces, [])} rows`,
  )
  return rows[0]!.count
}

function readAs({ column, as, sqlType }: ReadColumn, types: TypedPiece['types']): string {
  const held = column === null ? undefined : types.get(column)
  if (column === null || held === undefined) return `null::${sqlType} as ${as}`
  return `${inType({ column, sqlType: held }, sqlType)} as ${as}`
}

/** Columns of generated tables have no capital letters, so none of their names clashes with this one. */
const LOADED_KEY = '"KEY"'

function* conditionsOf({ except, without, replacedBy, types }: TypedPiece): Generator<string> {
  for (const range of except) yield `not (${inRange(range)})`
  for (const taken of without) {
    yield `not exists (select from ${quoteTable(taken)} t where t.${ROW} = p.${ROW})`
  }
  if (replacedBy === null) return
  const { loaded, key } = replacedBy
  const held = types.get(key.column)
  if (held === undefined) return
  const type = commonType(held, key.sqlType)
  const value = inType({ column: key.column, sqlType: held }, type)
  yield `not exists (
    select from (
      select ${inType(key, type)} as ${LOADED_KEY} from ${quoteTable(loaded)} ${READ_FIRST}) l
    where l.${LOADED_KEY} = ${value})`
}
