import type { EngineLimits } from '../core/limits.ts'
import type { TargetColumns } from '../core/engine.ts'
import type { CommonOptions } from '../core/options.ts'
import { TEXT } from '../encoders/column-decision.ts'
import { createValueContext, type ValueContext } from '../transforms/value-context.ts'
import {
  type ColumnNames,
  heldTableNames,
  type NamedColumn,
  newTableNames,
} from './column-names.ts'
import { type DecidedColumn, decideColumns, type DecideInput, heldType } from './decide-columns.ts'
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
      : renamed(restart, options, names.nameAll(reading.headers, []), names)
  if (sample.isAll || !reading.headersGrow) expected.require(columns)
  const late = new LateColumns({ known: columns, names, options, context, reading })
  return { columns, context, late, unseen: expected.missing(columns) }
}

/**
 * In another encoding, headers may read differently; late columns keep the names that they had. What
 * turned out to be text is, unless the request or the table says otherwise.
 */
function renamed(
  { columns, learned }: Restart,
  options: CommonOptions,
  named: readonly NamedColumn[],
  names: ColumnNames,
): readonly DecidedColumn[] {
  return columns.map((column, at) => {
    const again = { ...column, ...named[at] }
    const isText = learned.texts?.includes(at) && heldType(options, names, again.name) === null
    return isText ? { ...again, decision: { ...TEXT, given: true } } : again
  })
}
