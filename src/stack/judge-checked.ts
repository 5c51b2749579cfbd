import type { ClientBase } from 'pg'

import {
  type BrokenOverRows,
  type BrokenTogether,
  type CellError,
  type ColumnPlan,
  type ColumnRule,
  type Expectation,
  LoadSession,
  type OverRows,
  overRepeated,
  overTable,
  quoteName,
  type RuleCount,
  type RuleOverRows,
  type Warning,
} from '../../pipelines/index.ts'
import type { Ingest } from '../domain/ingest/ingest.ts'
import { askedOf, brokenRules, type JudgedRows, selectFrom } from './judge-rows.ts'
import type { LoadMode } from './load.ts'
import { ROW } from './table/row-numbers.ts'
import type { GeneratedTable } from './stack.ts'
import { definitionsOf, type TableColumn } from './table/stored-column.ts'
import { tableMessages } from './table/table-messages.ts'
import { quoteTable } from './table/table-name.ts'

/** How many rows are named of those that break a rule. */
const MOST_NAMED = 1000

/** Goes with its transaction, whatever happens. */
const CHECKED = { schema: 'pg_temp', table: 'checked_rows' }
const CHECKED_NAME = quoteTable(CHECKED)
/** Rows that are checked come after all that are there. */
const ROWS_BEFORE = 1n << 61n

/** Where rows that are checked would go. */
export interface CheckedAgainst {
  readonly enterpriseId: number
  readonly expectation: Expectation
  /** Null: a table of their own. */
  readonly into: { readonly table: GeneratedTable; readonly mode: LoadMode } | null
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
  if (!isAskedOverRows(expectation)) return null
  using opened = new DisposableStack()
  const placed = opened.use(place({ enterprise: enterpriseId }, signal))
  const session = opened.use(await LoadSession.open(placed.connect))
  const held = opened.move()
  const target = {
    rowsBefore: ROWS_BEFORE,
    rejectsUnder: null,
    async renew(client: ClientBase, plans: readonly ColumnPlan[]) {
      await client.query(
        `create temp table checked_rows (${ROW} bigint not null${definitionsOf(plans)}) on commit drop`,
      )
      return CHECKED
    },
  }
  const over = overTable({ session, target, ask: (plans) => ask(session, against, plans) })
  return { ...over, [Symbol.dispose]: () => held.dispose() }
}

/** The same of a file alone, without a database: `in` is not asked. */
export const overFile = (expectation: Expectation, tempDir: string): OverRows | null =>
  isAskedOverRows(expectation)
    ? overRepeated(tempDir, {
        asked: (plans) => askedIn(expectation, plans).filter(({ rule }) => !('in' in rule)),
        tell: (broken) => told(broken, 0n),
      })
    : null

function isAskedOverRows({ columns, rules = [] }: Expectation): boolean {
  const isOver = ({ unique, in: lookUp }: ColumnRule) => unique === true || lookUp !== undefined
  return (
    columns.some((column) => column.rules?.some(isOver)) ||
    rules.some(({ unique }) => unique !== undefined)
  )
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

async function ask(
  { client }: LoadSession,
  { enterpriseId, expectation, into }: CheckedAgainst,
  plans: readonly ColumnPlan[],
): Promise<BrokenOverRows> {
  const key = into?.mode.kind === 'upsert' ? keyIn(plans, into.mode.key) : null
  if (key !== null) await client.query(`create index on ${CHECKED_NAME} (${key})`)
  await client.query(`analyze ${CHECKED_NAME}`)
  const rows: JudgedRows = {
    enterpriseId,
    tableId: into?.table.id ?? null,
    select: (columns) =>
      [fromChecked(columns, key), ...fromTable(into, columns, key)].join(' union all '),
  }
  const broken = await brokenRules(client, rows, askedIn(expectation, plans), MOST_NAMED)
  return told(broken, ROWS_BEFORE)
}

function told(found: readonly BrokenTogether[], rowsBefore: bigint): BrokenOverRows {
  const broken = { errors: [], ofOthers: [], byRule: [], warnings: [] } as Told
  for (const { rule, count, first } of found) {
    const { message, column, rule: name, row } = first[0]!.error
    if (rule.severity === 'warning') {
      const said = tableMessages.ruleBroken({ name: name!, count, row, first: message })
      broken.warnings.push({ code: 'rule-broken', message: said, column, rule: name!, count })
      continue
    }
    broken.byRule.push({ rule: name!, count })
    for (const { number, error } of first) {
      const list = number > rowsBefore ? broken.errors : broken.ofOthers
      list.push(error)
    }
  }
  return broken
}

interface Told extends BrokenOverRows {
  readonly errors: CellError[]
  readonly ofOthers: CellError[]
  readonly byRule: RuleCount[]
  readonly warnings: Warning[]
}

function keyIn(plans: readonly ColumnPlan[], header: string): string | null {
  const column = plans.find(({ name }) => name === header)?.column
  return column === undefined ? null : quoteName(column)
}

/** Of rows with the same key the last counts. */
function fromChecked(columns: readonly TableColumn[], key: string | null): string {
  const rows = selectFrom(`${CHECKED_NAME} c`, columns)
  if (key === null) return rows
  return `${rows} and not exists (
    select from ${CHECKED_NAME} later where later.${key} = c.${key} and later.${ROW} > c.${ROW})`
}

/** The rows that stay, as wide as those that come. */
function fromTable(
  into: CheckedAgainst['into'],
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
  return [`${rows} and not exists (select from ${CHECKED_NAME} n where n.${key} = t.${key})`]
}
