import type { ClientBase } from 'pg'

import {
  brokenOverRows,
  type BrokenOverRows,
  type BrokenTogether,
  type CellError,
  type ColumnRule,
  EngineError,
  quoteName,
  quoteTable,
  type RowRule,
  type RuleCount,
  type RuleOverRows,
  type Warning,
} from '../../pipelines/index.ts'
import { bindColumns, shapeOfTable } from '../domain/shapes/expect.ts'
import type { FileShape } from '../resources/shape.ts'
import { requireReadable } from './table/made-by-others.ts'
import { type Partition, ROW } from './table/partitions.ts'
import type { GeneratedTable } from './stack.ts'
import { shownText, type TableColumn } from './table/stored-column.ts'
import { tableMessages } from './table/table-messages.ts'
import { schemaOf } from './table/enterprise-schemas.ts'

/** How many of the rows that break a rule are named. */
const MOST_NAMED = 100
/** A row's number is that of its load, and its ordinal there. */
const ORDINAL = `${ROW} & ((1::bigint << 40) - 1)`

interface Judged {
  readonly table: Pick<GeneratedTable, 'id' | 'enterpriseId'>
  /** The load that is recorded as the publication. */
  readonly loadId: number
  /** What the table is to consist of. */
  readonly partitions: readonly Partition[]
  readonly columns: readonly TableColumn[]
  /** Rows have only left: what was unique still is. */
  readonly onlyFewer: boolean
}

/** Rows that are looked at together. */
export interface JudgedRows {
  readonly enterpriseId: number
  /** The table that they are, or are to be; null: there is none yet. */
  readonly tableId: number | null
  /** Columns in which no value is twice. */
  readonly distinct?: readonly string[]
  /** SQL for the number and these columns of all of them. */
  select(columns: readonly TableColumn[]): string
}

type RuleAsked = RuleOverRows<TableColumn>

/**
 * Asks the rules over all rows of what would be shown, before any lock that readers feel. Every row
 * of a group but the first breaks `unique`. What breaks an error is refused, whatever is to become of
 * invalid cells: which of two rows is the wrong one, nobody knows.
 */
export async function judgeRows(client: ClientBase, judged: Judged): Promise<void> {
  const { table, partitions, onlyFewer } = judged
  const shape = await shapeOfTable(client, table.id)
  if (shape === null || partitions.length === 0) return
  const all = askedOf(ruledColumns(shape, judged.columns), shape.rules)
  const asked = onlyFewer ? await lookingIntoItself(client, table.id, all) : all
  const rows: JudgedRows = {
    enterpriseId: table.enterpriseId,
    tableId: table.id,
    // What is known of each part says nothing of several together.
    distinct: partitions.length === 1 ? partitions[0]!.distinct : [],
    select: (columns) =>
      partitions.map(({ name }) => selectFrom(quoteTable(name), columns)).join(' union all '),
  }
  const { errors, byRule, warnings } = told(await brokenRules(client, rows, asked, MOST_NAMED))
  if (byRule.length > 0) throw refusal(errors, byRule)
  if (warnings.length === 0) return
  await client.query(
    `update loads set report = jsonb_set(report, '{warnings}', report -> 'warnings' || $2::jsonb)
     where id = $1 and report is not null`,
    [judged.loadId, JSON.stringify(warnings)],
  )
}

/** The rules that these rows break, each with the first of them. */
export async function brokenRules(
  client: ClientBase,
  rows: JudgedRows,
  asked: readonly RuleAsked[],
  most: number,
): Promise<readonly BrokenTogether[]> {
  const found: BrokenTogether[] = []
  for (const each of asked) {
    if (await isSurelyUnique(client, rows, each)) continue
    const statement = await statementFor(client, rows, each)
    const { count, first } = await broken(client, statement, each, most)
    if (first.length > 0) found.push({ rule: each.rule, count, first })
  }
  return found
}

/**
 * Whether each value of a column occurs once. Sorting the values says so for a fraction of what
 * counting each of them costs, and most rows keep this rule. Texts are the same where their bytes
 * are, and are soonest sorted by these.
 */
async function isSurelyUnique(
  client: ClientBase,
  judged: JudgedRows,
  { rule, columns }: RuleAsked,
): Promise<boolean> {
  if (rule.unique === undefined) return false
  if (columns.some(({ column }) => judged.distinct?.includes(column))) return true
  if (columns.length > 1) return false
  const [{ column, sqlType }] = columns as readonly [TableColumn]
  const value = `${quoteName(column)}${sqlType === 'text' ? ' collate "C"' : ''}`
  const { rows } = await client.query<{ isUnique: boolean }>(
    `select count(*) = count(distinct ${value}) as "isUnique" from (${judged.select(columns)}) r`,
  )
  return rows[0]!.isUnique
}

export const selectFrom = (
  from: string,
  columns: readonly TableColumn[],
  as = (column: TableColumn) => quoteName(column.column),
): string => {
  const isThere = columns.map(({ column }) => `${quoteName(column)} is not null`).join(' and ')
  return `select ${[ROW, ...columns.map(as)].join(', ')} from ${from} where ${isThere}`
}

/** What is to be said of broken rules; rows up to `rowsBefore` were there before those that are judged. */
export function told(found: readonly BrokenTogether[], rowsBefore = 0n): BrokenOverRows {
  const errors: CellError[] = []
  const ofOthers: CellError[] = []
  const warnings: Warning[] = []
  const counts = new Map<string, number>()
  for (const { rule, count, first } of found) {
    const { message, column, rule: name, row } = first[0]!.error
    if (rule.severity === 'warning') {
      const said = tableMessages.ruleBroken({ name: name!, count, row, first: message })
      warnings.push({ code: 'rule-broken', message: said, column, rule: name!, count })
      continue
    }
    counts.set(name!, (counts.get(name!) ?? 0) + count)
    for (const { number, error } of first) (number > rowsBefore ? errors : ofOthers).push(error)
  }
  const byRule = [...counts].map(([rule, count]) => ({ rule, count }))
  return { errors, ofOthers, byRule, warnings }
}

export function refusal(errors: readonly CellError[], byRule: readonly RuleCount[]): EngineError {
  const total = byRule.reduce((sum, { count }) => sum + count, 0)
  const named = errors.slice(0, MOST_NAMED)
  return new EngineError(errors[0]!.message, { kind: 'cells', errors: named, total, byRule })
}

async function lookingIntoItself(
  client: ClientBase,
  tableId: number,
  asked: readonly RuleAsked[],
): Promise<readonly RuleAsked[]> {
  const { rows } = await client.query<{ uuid: string }>(
    'select uuid from sources where table_id = $1',
    [tableId],
  )
  return asked.filter(({ rule }) => 'in' in rule && rule.in?.sourceUuid === rows[0]?.uuid)
}

/** A column, and what the shape asks of it. */
interface RuledColumn {
  readonly column: TableColumn
  /** In the shape. */
  readonly name: string
  readonly rules: readonly ColumnRule[]
}

function ruledColumns(
  shape: Pick<FileShape, 'columns'>,
  columns: readonly TableColumn[],
): readonly RuledColumn[] {
  const bound = bindColumns(shape, columns)
  return columns.flatMap((column) => {
    const expected = bound.get(column.column)
    return expected === undefined ? [] : [{ ...expected, column }]
  })
}

/** The rules that are asked of all rows together. */
export function askedOf(
  there: readonly RuledColumn[],
  rowRules: readonly RowRule[],
): readonly RuleAsked[] {
  const byName = new Map(there.map(({ name, column }) => [name, column]))
  const ofColumns = there.flatMap(({ column, rules }) =>
    rules
      .filter((rule) => rule.unique === true || rule.in !== undefined)
      .map((rule): RuleAsked => ({ rule, columns: [column] })),
  )
  const ofRows = rowRules.flatMap((rule): RuleAsked[] => {
    const named = rule.unique?.map((name) => byName.get(name))
    const found = named?.filter((column) => column !== undefined) ?? []
    return found.length > 0 && found.length === named?.length ? [{ rule, columns: found }] : []
  })
  return [...ofColumns, ...ofRows]
}

/** The rows that break the rule: their number, and `value`. */
async function statementFor(
  client: ClientBase,
  judged: JudgedRows,
  { rule, columns }: RuleAsked,
): Promise<string> {
  const list = columns.map(({ column }) => quoteName(column)).join(', ')
  const rows = judged.select(columns)
  const value = columns.map(shownText).join(`, ', ', `)
  if ('in' in rule && rule.in !== undefined) {
    const looked = await lookedUp(client, judged, rule.in, columns[0]!)
    const isMissing =
      looked === null
        ? 'true'
        : `not exists (select from ${looked.table} l where ${looked.isSame(`r.${list}`)})`
    return `select ${ROW}, ${value} as value from (${rows}) r where ${isMissing}`
  }
  // To find that there are none needs no sorting; with some, only their rows are sorted.
  return `select ${ROW}, concat(${value}) as value from (
            select ${ROW}, ${list}, row_number() over (partition by ${list} order by ${ROW}) as nth
            from (${rows}) r
            where (${list}) in (select ${list} from (${rows}) g group by ${list} having count(*) > 1)
          ) numbered where nth > 1`
}

/** Null: what is looked up is gone, so nothing is in it. */
async function lookedUp(
  client: ClientBase,
  judged: JudgedRows,
  { sourceUuid, column: header }: NonNullable<ColumnRule['in']>,
  own: TableColumn,
) {
  const { enterpriseId } = judged
  const { rows } = await client.query<{
    id: number
    name: string
    columns: readonly TableColumn[]
  }>(
    `select t.id, t.name, t.columns from sources s join generated_tables t on t.id = s.table_id
     where s.uuid = $1 and s.enterprise_id = $2`,
    [sourceUuid, enterpriseId],
  )
  const [found] = rows
  const column =
    found?.columns.find((each) => each.name === header) ??
    found?.columns.find((each) => each.column === header)
  if (found === undefined || column === undefined) return null
  const name = { schema: schemaOf(enterpriseId), table: found.name }
  // A table that looks into itself has what it would show.
  const isItself = found.id === judged.tableId
  if (!isItself) await requireReadable(client, [name])
  const there = `l.${quoteName(column.column)}`
  const isAlike = own.sqlType === column.sqlType
  return {
    table: isItself ? `(${judged.select([column])})` : quoteTable(name),
    // Types that differ are alike where they are written alike.
    isSame: (value: string) =>
      isAlike ? `${there} = ${value}` : `${there}::text = ${value}::text`,
  }
}

async function broken(
  client: ClientBase,
  statement: string,
  { rule, columns }: RuleAsked,
  most: number,
): Promise<Pick<BrokenTogether, 'count' | 'first'>> {
  const { rows } = await client.query<{ n: number; number: string; value: string; count: number }>(
    `select ${ORDINAL} as n, ${ROW}::text as number, value, count(*) over () as count
     from (${statement}) broken order by ${ROW} limit ${most}`,
  )
  const first = rows.map(({ n, number, value }) => ({
    number: BigInt(number),
    error: { row: n, column: columns[0]!.name, value, ...brokenOverRows(rule, value) },
  }))
  return { count: rows[0]?.count ?? 0, first }
}
