import type { CopyTarget } from '../core/engine.ts'
import type { CellError, RuleCount } from '../core/errors.ts'
import type { ColumnPlan } from '../core/plan.ts'
import type { Warning } from '../core/warning.ts'
import { sinkStep } from '../sinks/errors.ts'
import type { LoadSession } from '../sinks/load-session.ts'
import type { RejectedRow } from '../sinks/rejects.ts'
import { TableLoad } from '../sinks/table-load.ts'

/** What is asked of all rows together, once they are in a table; they are taken back afterwards. */
export interface OverRows {
  readonly session: LoadSession
  readonly target: CopyTarget
  ask(columns: readonly ColumnPlan[]): Promise<BrokenOverRows>
}

export interface BrokenOverRows {
  /** Of rows of the input, by their numbers in it. */
  readonly errors: readonly CellError[]
  /** Of rows that are there already. */
  readonly ofOthers: readonly CellError[]
  readonly byRule: readonly RuleCount[]
  readonly warnings: readonly Warning[]
}

export const NOTHING_BROKEN: BrokenOverRows = { errors: [], ofOthers: [], byRule: [], warnings: [] }

/** Begins to copy the rows to where they are judged. */
export const openJudged = (
  { session, target }: OverRows,
  plans: readonly ColumnPlan[],
  signal: AbortSignal,
): Promise<TableLoad> =>
  session.cancellable(signal, () =>
    sinkStep('creating the table', () => TableLoad.open(session, target, plans)),
  )

/** How many of its errors a check lists. */
export const ERRORS_JUDGED = 1000

/** In the order of their rows; those of rows that are there already come last. */
export const listed = (
  errors: readonly CellError[],
  ofOthers: readonly CellError[],
): readonly CellError[] =>
  errors
    .toSorted((one, other) => one.row - other.row)
    .concat(ofOthers)
    .slice(0, ERRORS_JUDGED)

export const countOf = (counts: readonly RuleCount[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0)

/** The most frequent come first. */
export function addedCounts(
  counts: readonly RuleCount[],
  more: readonly RuleCount[],
): readonly RuleCount[] {
  const byRule = new Map(counts.map(({ rule, count }) => [rule, count]))
  for (const { rule, count } of more) byRule.set(rule, (byRule.get(rule) ?? 0) + count)
  return [...byRule]
    .map(([rule, count]) => ({ rule, count }))
    .toSorted((one, other) => other.count - one.count)
}

/** A row whose structure is broken has no cells to name. */
export const brokenRow = ({ row, line, message }: RejectedRow): CellError => ({
  row,
  ...(line !== null && { line }),
  column: '',
  value: '',
  message,
  rule: 'structure',
})
