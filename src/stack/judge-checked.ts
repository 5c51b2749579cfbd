import type { ClientBase } from 'pg'

import {
  brokenOverRows,
  type BrokenOverRows,
  type ColumnPlan,
  type ColumnRule,
  type Expectation,
  LoadSession,
  type OverRows,
  overRepeated,
  overTable,
  quoteName,
  type RowRule,
  type RuleOverRows,
  type Warning,
  quoteTable,
  type TableName,
} from '../../pipelines/index.ts'
import type { Ingest } from '../domain/ingest/ingest.ts'
import { askedOf, brokenRules, type JudgedRows, refusal, selectFrom, told } from './judge-rows.ts'
import type { LoadMode } from './load.ts'
import { requireReadable } from './table/made-by-others.ts'
import { AFTER_ALL, ROW } from './table/partitions.ts'
import { definitionsOf, type StoredColumn, type TableColumn } from './table/stored-column.ts'
import { tableMessages } from './table/table-messages.ts'

/** How many rows are named of those that break a rule. */
const MOST_NAMED = 1000

/** Goes with its transaction, whatever happens. */
const CHECKED = { schema: 'pg_temp', table: 'checked_rows' }

/** Where rows that are judged would go. */
export interface CheckedAgainst {
  /** Whose sources the rules look into. */
  readonly enterpriseId: number
  readonly expectation: Expectation
  /** Null: a table of their own. */
  readonly into: { readonly table: TableThere; readonly mode: LoadMode } | null
}

interface TableThere {
  /** Null: the service does not know it. */
  readonly id: number | null
  readonly name: TableName
  readonly columns: readonly StoredColumn[]
}

/**
 * For the rules over all rows of what a load would show. The rows lie in a temporary table while
 * they are judged. Null: there are no such rules.
 */
export async function overRows(
  { place }: Pick<Ingest, 'place'>,
  against: CheckedAgainst,
  signal: AbortSignal,
): Promise<(OverRows & Disposable) | null> {
  const { enterpriseId, expectation } = against
  if (rulesOverRows(expectation).length === 0) return null
  using opened = new DisposableStack()
  const placed = opened.use(place({ enterprise: enterpriseId }, signal))
  const session = opened.use(await LoadSession.open(placed.connect))
  const held = opened.move()
  const target = {
    rowsBefore: AFTER_ALL,
    rejectsUnder: null,
    async renew(client: ClientBase, plans: readonly ColumnPlan[]) {
      await client.query(
        `create temp table checked_rows (${ROW} bigint not null${definitionsOf(plans)}) on commit drop`,
      )
      return CHECKED
    },
  }
  const ask = (plans: readonly ColumnPlan[]) =>
    judgeComing(session.client, against, { table: CHECKED, columns: plans })
  const over = overTable({ session, target, ask })
  return { ...over, [Symbol.dispose]: () => held.dispose() }
}

/** The same of a file alone, without a database: `in` is not asked, which a warning says. */
export function overFile(expectation: Expectation, tempDir: string): OverRows | null {
  const rules = rulesOverRows(expectation)
  if (rules.length === 0) return null
  return overRepeated(tempDir, {
    asked: (plans) => askedIn(expectation, plans).filter(({ rule }) => !('in' in rule)),
    tell: (broken) => {
      const { warnings, ...found } = told(broken)
      return { ...found, warnings: [...warnings, ...rules.flatMap(notAsked)] }
    },
  })
}

interface OfColumn {
  readonly rule: ColumnRule | RowRule
  readonly column?: string
}

/** The rules that are asked of all rows together. */
export function rulesOverRows({ columns, rules = [] }: Expectation): readonly OfColumn[] {
  const ofColumns = columns.flatMap(({ name: column, rules: own = [] }) =>
    own.map((rule): OfColumn => ({ rule, column })),
  )
  return [...ofColumns, ...rules.map((rule): OfColumn => ({ rule }))].filter(
    ({ rule }) => (rule.unique ?? false) !== false || ('in' in rule && rule.in !== undefined),
  )
}

function notAsked({ rule: given, column }: OfColumn): readonly Warning[] {
  if (column === undefined || !('in' in given)) return []
  const { rule } = brokenOverRows(given, '')
  const message = tableMessages.ruleNotAsked({ name: rule, column })
  return [{ code: 'rule-not-asked', message, column, rule }]
}

function askedIn(
  { columns, rules = [] }: Expectation,
  plans: readonly ColumnPlan[],
): readonly RuleOverRows<TableColumn>[] {
  const rulesOf = new Map(columns.map(({ name, rules: own = [] }) => [name, own]))
  return askedOf(
    plans.map((column) => ({ column, name: column.name, rules: rulesOf.get(column.name) ?? [] })),
    rules,
  )
}

/** Rows in a table of their own, numbered behind all that are there. */
interface ComingRows {
  readonly table: TableName
  readonly columns: readonly ColumnPlan[]
  /** Columns in which none of them has a value twice. */
  readonly distinct?: readonly string[]
}

/** Asks the rules over all rows of what would be there if these rows went where they are to go. */
async function judgeComing(
  client: ClientBase,
  { enterpriseId, expectation, into }: CheckedAgainst,
  { table, columns: plans, distinct = [] }: ComingRows,
): Promise<BrokenOverRows> {
  const coming = quoteTable(table)
  const key = into?.mode.kind === 'upsert' ? keyIn(plans, into.mode.key) : null
  if (key !== null) await client.query(`create index on ${coming} (${key})`)
  await client.query(`analyze ${coming}`)
  if (into !== null && into.mode.kind !== 'replace') {
    await requireReadable(client, [into.table.name])
  }
  const rows: JudgedRows = {
    enterpriseId,
    tableId: into?.table.id ?? null,
    distinct: into === null || into.mode.kind === 'replace' ? distinct : [],
    select: (columns) =>
      [fromComing(coming, columns, key), ...fromTable(into, coming, columns, key)].join(
        ' union all ',
      ),
  }
  return told(await brokenRules(client, rows, askedIn(expectation, plans), MOST_NAMED), AFTER_ALL)
}

/** Refuses rows with which rules would be broken; returns what is to be warned of. */
export async function refuseBroken(
  client: ClientBase,
  against: CheckedAgainst,
  coming: ComingRows,
): Promise<readonly Warning[]> {
  const { errors, ofOthers, byRule, warnings } = await judgeComing(client, against, coming)
  if (byRule.length > 0) throw refusal([...errors, ...ofOthers], byRule)
  return warnings
}

function keyIn(plans: readonly ColumnPlan[], header: string): string | null {
  const column = plans.find(({ name }) => name === header)?.column
  return column === undefined ? null : quoteName(column)
}

/** Of rows with the same key the last counts. */
function fromComing(coming: string, columns: readonly TableColumn[], key: string | null): string {
  const rows = selectFrom(`${coming} c`, columns)
  if (key === null) return rows
  return `${rows} and not exists (
    select from ${coming} later where later.${key} = c.${key} and later.${ROW} > c.${ROW})`
}

/** The rows that stay, as wide as those that come. */
function fromTable(
  into: CheckedAgainst['into'],
  coming: string,
  columns: readonly TableColumn[],
  key: string | null,
): readonly string[] {
  if (into === null || into.mode.kind === 'replace') return []
  const { table } = into
  const there = new Set(table.columns.map(({ column }) => column))
  // Where a column is new, the rows that are there have nothing in it.
  if (!columns.every(({ column }) => there.has(column))) return []
  const wide = ({ column, sqlType }: TableColumn) =>
    `${quoteName(column)}::${sqlType} as ${quoteName(column)}`
  const rows = selectFrom(`${quoteTable(table.name)} t`, columns, wide)
  if (key === null) return [rows]
  return [`${rows} and not exists (select from ${coming} n where n.${key} = t.${key})`]
}
