import { type ClientBase, escapeLiteral } from 'pg'

import { type SqlType, quoteName } from '../../../pipelines/index.ts'
import { isInstant } from '../../time/instant.ts'
import type { StoredColumn } from '../table/stored-column.ts'
import { fromState, type TableState } from './snapshot.ts'

export const COMPARISONS = ['eq', 'gt', 'gte', 'lt', 'lte', 'contains', 'blank'] as const
export type Comparison = (typeof COMPARISONS)[number]

export interface RowFilter {
  readonly column: StoredColumn
  readonly comparison: Comparison
  /** As returned by `parameterFor`. */
  readonly value: string
}

const IN_ORDER = ['eq', 'gt', 'gte', 'lt', 'lte', 'blank'] as const

const TAKEN: Readonly<Record<SqlType, readonly Comparison[]>> = {
  bigint: IN_ORDER,
  numeric: IN_ORDER,
  date: IN_ORDER,
  timestamptz: IN_ORDER,
  boolean: ['eq', 'blank'],
  text: COMPARISONS,
  // Its values have no order, and PostgreSQL writes their text differently than others do.
  jsonb: ['contains', 'blank'],
}

export const comparisonsOf = ({ sqlType }: StoredColumn): readonly Comparison[] => TAKEN[sqlType]

/** What a value has to look like before it can be a value of the column. */
type ValueKind = 'flag' | 'date' | 'instant' | 'number' | 'text'

const KINDS: Readonly<Record<SqlType, ValueKind>> = {
  bigint: 'number',
  numeric: 'number',
  date: 'date',
  timestamptz: 'instant',
  boolean: 'flag',
  text: 'text',
  jsonb: 'text',
}

export const valueKind = (column: StoredColumn, comparison: Comparison): ValueKind =>
  comparison === 'blank' ? 'flag' : KINDS[column.sqlType]

/** Returns null for a text that is not of the kind; PostgreSQL accepts all others. */
const READERS: Readonly<Record<ValueKind, (text: string) => string | null>> = {
  flag: (text) => (text === 'true' || text === 'false' ? text : null),
  text: (text) => (text === '' || text.includes('\0') ? null : text),
  number: (text) => (/^-?\d{1,500}(\.\d{1,500})?([eE][+-]?\d{1,3})?$/.test(text) ? text : null),
  date: (text) => (DAY.test(text) && readInstant(midnight(text)) !== null ? text : null),
  instant: (text) => readInstant(midnight(text)),
}

/** The parameter for the text; null if it is not a value of the kind. */
export const parameterFor = (kind: ValueKind, text: string): string | null => READERS[kind](text)

const DAY = /^\d{4}-\d\d-\d\d$/
const FIRST_DAY = '0001-01-01'

const midnight = (text: string) => (DAY.test(text) ? `${text}T00:00:00Z` : text)

/** In UTC; PostgreSQL has no year 0. */
function readInstant(text: string): string | null {
  if (!isInstant(text)) return null
  const inUtc = new Date(text.toUpperCase()).toISOString()
  return DAY.test(inUtc.slice(0, FIRST_DAY.length)) && inUtc >= FIRST_DAY ? inUtc : null
}

/** The state with only those of its rows that pass all filters, which nobody has counted yet. */
export const whatPasses = (state: TableState, filters: readonly RowFilter[]): TableState =>
  filters.length === 0 ? state : { ...state, only: filters.map(termOf).join(' and ') }

/** Reads them all, where they are not all rows of the table: those are on record. */
export async function counted(client: ClientBase, state: TableState): Promise<TableState> {
  if (state.only === undefined) return state
  const { rows } = await client.query<{ total: string }>(
    `select count(*)::text as total ${fromState(state)}`,
  )
  return { ...state, rowCount: Number(rows[0]!.total) }
}

/** Certain to fit into a bigint. */
const WHOLE = /^-?\d{1,18}$/

const OPERATORS = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** Its value is written into it: COPY takes no parameters. */
function termOf({ column, comparison, value }: RowFilter): string {
  const literal = escapeLiteral(value)
  const stored = `stored.${quoteName(column.column)}`
  if (comparison === 'blank') return `(${stored} is null) = ${literal}::boolean`
  if (comparison === 'contains') {
    return `search_fold(${stored}::text) like search_pattern(${literal}::text)`
  }
  // A filter matches an instant in the form in which it is shown.
  const compared =
    column.sqlType === 'timestamptz' ? `date_trunc('milliseconds', ${stored})` : stored
  // Users see a column of numbers and cannot know that all of them have been whole so far.
  const type = column.sqlType === 'bigint' && !WHOLE.test(value) ? 'numeric' : column.sqlType
  return `${compared} ${OPERATORS[comparison]} ${literal}::${type}`
}
