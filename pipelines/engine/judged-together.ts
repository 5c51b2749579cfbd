import type { CopyTarget, Judgement } from '../core/engine.ts'
import { CELL_ERRORS_SHOWN, type CellError, EngineError, type RuleCount } from '../core/errors.ts'
import type { ColumnPlan } from '../core/plan.ts'
import type { Warning } from '../core/warning.ts'
import { sinkStep } from '../sinks/errors.ts'
import type { LoadSession } from '../sinks/load-session.ts'
import { type RejectedRow, type RowSink, TableLoad } from '../sinks/table-load.ts'

/** What is asked of all rows together; nothing of them stays. */
export interface OverRows {
  /** So many come before the first of them. */
  readonly rowsBefore: bigint
  /** Takes the rows of a pass, of which there may be several. */
  open(columns: readonly ColumnPlan[], signal: AbortSignal): Promise<RowsTogether>
}

interface RowsTogether {
  readonly load: RowSink
  /** What the rows break that were sent there. */
  ask(): Promise<BrokenOverRows>
}

/** Rows that are asked once they are in a table. */
interface AskedTable {
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

/**
 * A refusal because of one broken row, with everything else that is wrong with the rows, so that a
 * person mends the file once. `judge` reads the input once more.
 */
export async function withAllElse(
  refusal: unknown,
  judge: () => Promise<Judgement>,
): Promise<unknown> {
  if (!(refusal instanceof EngineError)) return refusal
  const { text, problem, remedies } = refusal
  if (problem.kind !== 'structure' || problem.row === undefined) return refusal
  // What cannot be read to its end is told of as far as it was read.
  const judged = await judge().catch(() => null)
  if (judged === null) return refusal
  const { errors, totalErrors: total, byRule } = judged
  const all = { errors: errors.slice(0, CELL_ERRORS_SHOWN), total, byRule }
  return new EngineError(text, { ...problem, all }, { remedies, cause: refusal })
}

export const overTable = ({ session, target, ask }: AskedTable): OverRows => ({
  rowsBefore: target.rowsBefore,
  async open(plans, signal) {
    const load = await session.cancellable(signal, () =>
      sinkStep('creating the table', () => TableLoad.open(session, target, plans)),
    )
    return {
      load,
      async ask() {
        await sinkStep('ending the copy', () => load.finish())
        return session.cancellable(signal, () => sinkStep('judging the rows', () => ask(plans)))
      },
    }
  },
})

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
