import type { ClientBase } from 'pg'

import {
  brokenOverRows,
  type CellError,
  type ColumnRule,
  EngineError,
  quoteName,
  quoteTable,
  type RowRule,
  type RuleCount,
} from '../../pipelines/index.ts'
import { bindColumns } from '../domain/shapes/bind-columns.ts'
import { shapeOfTable } from '../domain/shapes/expect.ts'
import type { FileShape } from '../resources/shape.ts'
import type { Partition } from './partitions.ts'
import { ROW } from './row-numbers.ts'
import type { GeneratedTable } from './stack.ts'
import type { TableColumn } from './stored-column.ts'
import { tableMessages } from './table-messages.ts'
import { schemaOf } from './table-name.ts'

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
}

/** A rule that is asked of all rows together. */
interface Asked {
  readonly rule: ColumnRule | RowRule
  readonly columns: readonly TableColumn[]
}

/**
 * Asks the rules over all rows of what would be shown, before any lock that readers feel. Every row
 * of a group but the first breaks `unique`. What breaks an error is refused, whatever is to become of
 * invalid cells: which of two rows is the wrong one, nobody knows.
 */
export async function judgeRows(client: ClientBase, judged: Judged): Promise<void> {
  const shape = await shapeOfTable(client, judged.table.id)
  if (shape === null || judged.partitions.length === 0) return
  const errors: CellError[] = []
  const byRule = new Map<string, number>()
  for (const asked of askedOf(shape, judged.columns)) {
    const statement = await statementFor(client, judged, asked)
    const { count, first } = await broken(client, statement, asked)
    const [one] = first
    if (one === undefined) continue
    if (asked.rule.severity === 'warning') {
      await warn(client, judged.loadId, { count, first: one })
      continue
    }
    byRule.set(one.rule!, (byRule.get(one.rule!) ?? 0) + count)
    errors.push(...first.slice(0, MOST_NAMED - errors.length))
  }
  if (errors.length > 0) throw refusal(errors, byRule)
}

function refusal(errors: readonly CellError[], counts: ReadonlyMap<string, number>): EngineError {
  const byRule: RuleCount[] = [...counts].map(([rule, count]) => ({ rule, count }))
  const total = byRule.reduce((sum, { count }) => sum + count, 0)
  return new EngineError(errors[0]!.message, { kind: 'cells', errors, total, byRule })
}

function askedOf(
  shape: Pick<FileShape, 'columns' | 'rules'>,
  columns: readonly TableColumn[],
): readonly Asked[] {
  const bound = bindColumns(shape, columns)
  const there = columns.flatMap((column) => {
    const expected = bound.get(column.column)
    return expected === undefined ? [] : [{ column, expected }]
  })
  const byName = new Map(there.map(({ column, expected }) => [expected.name, column]))
  const ofColumns = there.flatMap(({ column, expected }) =>
    expected.rules
      .filter((rule) => rule.unique === true || rule.in !== undefined)
      .map((rule): Asked => ({ rule, columns: [column] })),
  )
  const ofRows = shape.rules.flatMap((rule): Asked[] => {
    const named = rule.unique?.map((name) => byName.get(name))
    const found = named?.filter((column) => column !== undefined) ?? []
    return found.length > 0 && found.length === named?.length ? [{ rule, columns: found }] : []
  })
  return [...ofColumns, ...ofRows]
}

/** The rows that break the rule: `n`, their ordinal, and `value`. */
async function statementFor(
  client: ClientBase,
  { table, partitions }: Judged,
  { rule, columns }: Asked,
): Promise<string> {
  const names = columns.map(({ column }) => quoteName(column))
  const list = names.join(', ')
  const isThere = names.map((name) => `${name} is not null`).join(' and ')
  const rows = partitions
    .map(({ name }) => `select ${ROW}, ${list} from ${quoteTable(name)} where ${isThere}`)
    .join(' union all ')
  const value = names.map((name) => `${name}::text`).join(`, ', ', `)
  if ('in' in rule && rule.in !== undefined) {
    const looked = await lookedUp(client, table, rule.in, columns[0]!)
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
export async function lookedUp(
  client: ClientBase,
  { enterpriseId }: Pick<Judged['table'], 'enterpriseId'>,
  { sourceUuid, column: name }: NonNullable<ColumnRule['in']>,
  own: TableColumn,
) {
  const { rows } = await client.query<{ name: string; columns: readonly TableColumn[] }>(
    `select t.name, t.columns from sources s join generated_tables t on t.id = s.table_id
     where s.uuid = $1 and s.enterprise_id = $2`,
    [sourceUuid, enterpriseId],
  )
  const [found] = rows
  const column =
    found?.columns.find((each) => each.name === name) ??
    found?.columns.find((each) => each.column === name)
  if (found === undefined || column === undefined) return null
  const there = `l.${quoteName(column.column)}`
  const isAlike = own.sqlType === column.sqlType
  return {
    table: quoteTable({ schema: schemaOf(enterpriseId), table: found.name }),
    // Types that differ are alike where they are written alike.
    isSame: (value: string) =>
      isAlike ? `${there} = ${value}` : `${there}::text = ${value}::text`,
  }
}

async function broken(
  client: ClientBase,
  statement: string,
  { rule, columns }: Asked,
): Promise<{ readonly count: number; readonly first: readonly CellError[] }> {
  const { rows } = await client.query<{ n: number; value: string; count: number }>(
    `select ${ORDINAL} as n, value, count(*) over () as count
     from (${statement}) broken order by ${ROW} limit ${MOST_NAMED}`,
  )
  const first = rows.map(({ n, value }): CellError => {
    return { row: n, column: columns[0]!.name, value, ...brokenOverRows(rule, value) }
  })
  return { count: rows[0]?.count ?? 0, first }
}

async function warn(
  client: ClientBase,
  loadId: number,
  { count, first: { rule, message, column, row } }: { count: number; first: CellError },
): Promise<void> {
  const told = tableMessages.ruleBroken({ name: rule!, count, row, first: message })
  const warning = { code: 'rule-broken', message: told, column, rule, count }
  await client.query(
    `update loads set report = jsonb_set(report, '{warnings}', report -> 'warnings' || $2::jsonb)
     where id = $1 and report is not null`,
    [loadId, JSON.stringify([warning])],
  )
}
