import type { EngineLimits } from '../core/limits.ts'
import type { TargetColumns } from '../core/engine.ts'
import { createValueContext, type ValueContext } from '../transforms/value-context.ts'
import { heldTableNames, newTableNames } from './column-names.ts'
import { type DecidedColumn, decideColumns, type DecideInput } from './decide-columns.ts'
import type { ExpectedColumns } from './expected-columns.ts'
import { LateColumns } from './late-columns.ts'
import type { Restart } from './restart.ts'

export interface DecidedTable {
  readonly columns: readonly DecidedColumn[]
  /** How values are read, the same for every column. */
  readonly context: ValueContext
  readonly late: LateColumns
  /** Columns that the request names and that have not occurred yet. */
  readonly unseen: readonly string[]
}

interface DecideTableInput extends Omit<DecideInput, 'context' | 'names'> {
  readonly limits: EngineLimits
  readonly target: TargetColumns
  readonly expected: ExpectedColumns
  readonly restart: Restart | null
}

/** Decides the future table: from the sample, or as passed on by a pass that knows more than the sample. */
export async function decideTable(given: DecideTableInput): Promise<DecidedTable> {
  const { opened, sample, options, limits, expected, target, restart } = given
  const { reading } = opened
  const context = createValueContext(options, reading.decimalHint ?? null)
  const names =
    target.kind === 'held'
      ? heldTableNames(target.columns)
      : newTableNames(limits.columns, target.known)
  const columns =
    restart === null
      ? await decideColumns({ ...given, context, names })
      : renamed(restart.columns, names.nameAll(reading.headers, []))
  if (sample.isAll || !reading.headersGrow) expected.require(columns)
  const late = new LateColumns({ known: columns, names, options, context, reading })
  return { columns, context, late, unseen: expected.missing(columns) }
}

/** In another encoding, headers may read differently; late columns keep the names that they had. */
function renamed(
  columns: readonly DecidedColumn[],
  names: readonly { readonly name: string; readonly column: string }[],
): readonly DecidedColumn[] {
  return columns.map((column, at) => ({ ...column, ...names[at] }))
}
