import {
  type ColumnRule,
  DEFAULT_LIMITS,
  faultOfPattern,
  type Message,
  isFreeSqlName,
  type SqlType,
  shownName,
  sqlNames,
} from '../../../pipelines/index.ts'
import { type FieldError, invalidFields } from '../../errors/index.ts'
import type { FileShape, ShapeColumn } from '../../resources/shape.ts'
import type { TableColumn } from '../../stack/table/stored-column.ts'
import { shapeMessages } from './shape-messages.ts'
import { flawsOfColumnRules, refuseLargePatterns } from './shape-rules.ts'

/** What a shape remembers at most, over all of its columns. */
export const MOST_ALIASES = 10_000

/** A column as a request describes it; a new one has no name in SQL yet. */
export interface GivenColumn extends Pick<
  ShapeColumn,
  'name' | 'type' | 'dateFormat' | 'pattern' | 'description'
> {
  readonly column?: string | undefined
  readonly aliases?: readonly string[] | undefined
  readonly rules?: readonly ColumnRule[] | undefined
}

/** The columns of a shape, and those whose type people have given. */
export type ShapeColumns = Pick<FileShape, 'columns' | 'heldColumns'>

/**
 * The whole list of the columns of a shape, as somebody gives it. A column stays itself through its
 * name in SQL, whatever it is called from now on.
 */
export function columnsGiven(
  given: readonly GivenColumn[],
  before: ShapeColumns | null,
  /** Where they stand in what was sent. */
  pointer = '/columns',
): ShapeColumns {
  const known = new Map(before?.columns.map((column) => [column.column, column]))
  refuseFlaws(given, before === null ? null : new Set(known.keys()), pointer)
  const fresh = given.filter(({ column }) => column === undefined)
  const names = sqlNames(
    fresh.map(({ name }) => name),
    DEFAULT_LIMITS.columns,
    // A column that leaves with this change still has its name in the table.
    [...new Set([...known.keys(), ...given.flatMap(({ column }) => column ?? [])])],
  )
  const named = new Map(fresh.map((column, at) => [column, names[at]!]))
  const columns = given.map((column) => shapeColumn(column, column.column ?? named.get(column)!))
  const held = new Set(before?.heldColumns)
  return {
    columns,
    heldColumns: columns
      .filter(
        (column) =>
          held.has(column.column) ||
          // Rules are of a type.
          column.rules.length > 0 ||
          !isReadAlike(known.get(column.column), column),
      )
      .map(({ column }) => column),
  }
}

function shapeColumn(
  { name, type, dateFormat, pattern, description, aliases = [], rules = [] }: GivenColumn,
  column: string,
): ShapeColumn {
  return {
    name,
    column,
    type,
    ...(dateFormat && { dateFormat }),
    ...(pattern && { pattern }),
    ...(description?.trim() && { description: description.trim() }),
    aliases: [...new Set(aliases)].filter((alias) => alias !== name),
    rules,
  }
}

const isReadAlike = (one: ShapeColumn | undefined, other: ShapeColumn): boolean =>
  one !== undefined &&
  one.type === other.type &&
  one.dateFormat === other.dateFormat &&
  one.pattern === other.pattern

function refuseFlaws(
  given: readonly GivenColumn[],
  known: ReadonlySet<string> | null,
  pointer: string,
): void {
  refuseLargePatterns(
    given.flatMap(({ rules = [] }) => rules),
    pointer,
  )
  const errors: FieldError[] = []
  const refuse = (path: string, message: Message) => errors.push({ pointer: path, message })
  const names = new Set<string>()
  const columns = new Set<string>()
  const aliasOf = new Map<string, string>()
  let aliasCount = 0
  for (const [at, { name, column, type, dateFormat, pattern, ...more }] of given.entries()) {
    const path = `${pointer}/${at}`
    if (names.has(name)) refuse(`${path}/name`, shapeMessages.nameTwice({ name: shownName(name) }))
    names.add(name)
    if (column !== undefined) {
      if (columns.has(column)) refuse(`${path}/column`, shapeMessages.columnTwice({ column }))
      else if (known !== null && !known.has(column)) {
        refuse(`${path}/column`, shapeMessages.noSuchColumn({ column: shownName(column) }))
      } else if (known === null && !isFreeSqlName(column)) {
        refuse(`${path}/column`, shapeMessages.noSqlName({ column: shownName(column) }))
      }
      columns.add(column)
    }
    const notations = [dateFormat, pattern].filter((notation) => notation !== undefined)
    if (notations.length > (type === 'date' ? 1 : 0)) {
      refuse(`${path}/${pattern ? 'pattern' : 'dateFormat'}`, shapeMessages.dateFormatOfDate())
    }
    const fault = pattern ? faultOfPattern(pattern) : null
    if (fault !== null) refuse(`${path}/pattern`, fault)
    errors.push(...flawsOfColumnRules(more.rules ?? [], type, `${path}/rules`))
    for (const [place, alias] of (more.aliases ?? []).entries()) {
      aliasCount++
      const other = aliasOf.get(alias)
      if (other !== undefined && other !== name) {
        refuse(
          `${path}/aliases/${place}`,
          shapeMessages.aliasTwice({ alias: shownName(alias), name: shownName(other) }),
        )
      }
      aliasOf.set(alias, name)
    }
  }
  if (aliasCount > MOST_ALIASES) {
    refuse(pointer, shapeMessages.manyAliases({ count: aliasCount, most: MOST_ALIASES }))
  }
  if (errors.length > 0) throw invalidFields(errors.slice(0, MOST_ERRORS))
}

const MOST_ERRORS = 100

/** How a column is stored before it has had a value. */
const STORED_AS: Readonly<Record<ShapeColumn['type'], SqlType>> = {
  text: 'text',
  number: 'numeric',
  date: 'date',
  boolean: 'boolean',
  json: 'jsonb',
}

/** The columns that a table would have of the shape, if nothing were sent for them. */
export const emptyColumn = ({
  name,
  column,
  type,
  dateFormat,
  pattern,
}: ShapeColumn): TableColumn => ({
  name,
  column,
  type,
  sqlType: STORED_AS[type],
  ...(dateFormat && { dateFormat }),
  ...(pattern && { pattern }),
  sent: false,
})
