import type { EngineLimits } from '../core/limits.ts'
import type { TargetColumns } from '../core/engine.ts'
import type { Mapping } from '../core/mapping.ts'
import type { CommonOptions } from '../core/options.ts'
import type { Reading } from '../core/reader.ts'
import { TEXT } from '../encoders/column-decision.ts'
import { describeMapping, refuseUnasked } from '../mapping/describe-mapping.ts'
import { HeaderMeeting } from '../mapping/meet-headers.ts'
import { type TableRules, tableRules } from '../rules/table-rules.ts'
import { createValueContext, type ValueContext } from '../transforms/value-context.ts'
import {
  type ColumnNames,
  headersOf,
  metNames,
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
  /** Null: no columns are expected. */
  readonly meeting: HeaderMeeting | null
  readonly mapping: Mapping | null
  /** Null: nothing is asked of its rows. */
  readonly rules: TableRules | null
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
  const meeting = target.kind === 'expected' ? new HeaderMeeting(target.expectation) : null
  await meeting?.meet(headersOfAll(reading, restart))
  const names =
    target.kind === 'expected'
      ? metNames(limits.columns, target.expectation, meeting!)
      : newTableNames(limits.columns)
  const columns =
    restart === null
      ? await decideColumns({ ...given, context, names })
      : renamed(restart, options, names.nameAll(reading.headers, []), names)
  const late = new LateColumns({ known: columns, names, options, context, reading })
  const table = {
    columns,
    context,
    late,
    unseen: expected.missing(columns),
    meeting,
    mapping: mappingOf(target, meeting, columns),
    rules: target.kind === 'expected' ? tableRules(target.expectation) : null,
  }
  if (sample.isAll || !reading.headersGrow) expected.require(columns)
  return table
}

/** To be called when no more headers can appear: refuses what was to be among them, or must not. */
export function admit({ mapping, meeting }: DecidedTable, target: TargetColumns): void {
  if (target.kind !== 'expected' || mapping === null) return
  meeting!.requireGiven()
  refuseUnasked(target.expectation, mapping)
  target.admit?.(mapping)
}

/** Normalised headers; those that appeared late in the pass before come last. */
function headersOfAll({ headers }: Reading, restart: Restart | null): readonly string[] {
  const first = headersOf(headers, [])
  return [...first, ...(restart?.columns ?? []).slice(first.length).map(({ header }) => header)]
}

function mappingOf(
  target: TargetColumns,
  meeting: HeaderMeeting | null,
  columns: readonly DecidedColumn[],
): Mapping | null {
  if (target.kind !== 'expected' || meeting === null) return null
  const headers = meeting.headers.map((met, at) => {
    const { decision, evidence } = columns[at]!
    return { ...met, type: decision.type, isBlank: evidence.sampled === 0 }
  })
  return describeMapping({ expectation: target.expectation, headers })
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
    const isText = learned.texts?.includes(at) && heldType(options, names, again) === null
    return isText ? { ...again, decision: { ...TEXT, given: true } } : again
  })
}
