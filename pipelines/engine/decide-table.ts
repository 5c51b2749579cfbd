import type { TargetColumns } from '../core/engine.ts'
import type { Reading } from '../core/reader.ts'
import { createValueContext, type ValueContext } from '../transforms/value-context.ts'
import { heldTableNames, newTableNames } from './column-names.ts'
import { type DecidedColumn, decideColumns, type DecideInput } from './decide-columns.ts'
import { LateColumns } from './late-columns.ts'
import type { Restart } from './restart.ts'

export interface DecidedTable {
  readonly columns: readonly DecidedColumn[]
  /** How values are read, the same for every column. */
  readonly context: ValueContext
  readonly late: LateColumns
}

export interface DecideTableInput extends Omit<DecideInput, 'context' | 'names'> {
  readonly target: TargetColumns
  readonly restart: Restart | null
}

/** The table to be: found on the sample, or handed on by a pass that knows more than the sample. */
export async function decideTable(input: DecideTableInput): Promise<DecidedTable> {
  const { reading, options, limits, target, restart } = input
  const context = createValueContext(options, delimiterOf(reading))
  const names =
    target.kind === 'held'
      ? heldTableNames(target.columns)
      : newTableNames(limits.columns, target.known)
  const columns =
    restart === null
      ? await decideColumns({ ...input, context, names })
      : renamed(restart.columns, names.nameAll(reading.headers, []))
  const late = new LateColumns({ known: columns, names, options, context, reading })
  return { columns, context, late }
}

/** It hints at the decimal sign: where a semicolon separates, the comma is free for numbers. */
function delimiterOf(reading: Reading): string | null {
  const { delimiter } = reading.describe().dialect as { delimiter?: { value?: unknown } }
  return typeof delimiter?.value === 'string' ? delimiter.value : null
}

/** Read in another encoding, headers may have other names; late ones are named as they were. */
function renamed(
  columns: readonly DecidedColumn[],
  names: readonly { readonly name: string; readonly column: string }[],
): readonly DecidedColumn[] {
  return columns.map((column, at) => ({ ...column, ...names[at] }))
}
