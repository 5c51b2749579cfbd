import type { ClientBase } from 'pg'

import type { ColumnPlan } from '../../../pipelines/index.ts'
import type { Assignment, Unfit } from './find-unfit.ts'
import { ROW } from './row-numbers.ts'
import { quoteName, quoteTable, type TableName } from './table-name.ts'

/** What PostgreSQL leaves out of a value in silence when it assigns it. */
interface Cut {
  readonly from: ColumnPlan['sqlType']
  readonly to: readonly string[]
  readonly isWhole: (value: string) => string
  readonly why: string
}

const CUTS: readonly Cut[] = [
  {
    from: 'numeric',
    to: ['smallint', 'integer', 'bigint'],
    isWhole: (value) => `${value} = trunc(${value})`,
    why: 'the column has whole numbers',
  },
  {
    from: 'timestamptz',
    to: ['date'],
    isWhole: (value) => `${value} = ${value}::date::timestamptz`,
    why: 'the column has days without a time',
  },
]

/** The first value of which a column would keep a part alone, or null. How exact a number is, its scale says. */
export async function findCut(
  client: ClientBase,
  filled: TableName,
  assignments: readonly Assignment[],
): Promise<(Unfit & Pick<Cut, 'why'>) | null> {
  for (const { column, sqlType, to, type } of assignments) {
    const cut = CUTS.find((one) => one.from === sqlType && one.to.includes(type))
    if (cut === undefined) continue
    const value = quoteName(column)
    const { rows } = await client.query<{ row: string; value: string }>(
      `select ${ROW}::text as row, ${value}::text as value from ${quoteTable(filled)}
       where not (${cut.isWhole(value)}) order by ${ROW} limit 1`,
    )
    const [found] = rows
    if (found !== undefined) return { ...found, to, why: cut.why }
  }
  return null
}
