import type { CommonOptions } from '../core/options.ts'
import type { ColumnPlan } from '../core/plan.ts'
import type { Learned, Reading, StatedType } from '../core/reader.ts'
import { stretchEnd } from '../core/row-stretch.ts'
import type { ColumnEvidence, Widening } from '../core/report.ts'
import { type ColumnDecision, toPlan, TEXT } from '../encoders/column-decision.ts'
import type { PlaceOf } from '../cells/cell-messages.ts'
import { TypeDetector } from '../transforms/detect-types.ts'
import {
  type HeldType,
  overrideOf,
  type ValueContext,
  createValueContext,
} from '../transforms/value-context.ts'
import {
  type ColumnNames,
  type NamedColumn,
  headersOf,
  metNames,
  newTableNames,
  kept,
} from './column-names.ts'
import type { OpenReading } from './open-reading.ts'
import type { Progress } from './progress.ts'
import { rowsOfSample, type Sample } from './sample.ts'
import type { Batch } from '../core/batch.ts'
import type { EngineLimits } from '../core/limits.ts'
import type { TargetColumns } from '../core/engine.ts'
import type { Mapping } from '../core/mapping.ts'
import { describeMapping, refuseUnasked } from '../mapping/describe-mapping.ts'
import { HeaderMeeting } from '../mapping/meet-headers.ts'
import { type TableRules, tableRules } from '../rules/table-rules.ts'
import { EngineError } from '../core/errors.ts'
import { knownNames, type KnownNames } from '../core/known-names.ts'
import { refusalMessages } from './refusal-messages.ts'
import type { Message } from '../core/message.ts'

/** A column of the future table, and why it was decided as it is. */
export interface DecidedColumn extends NamedColumn {
  readonly decision: ColumnDecision
  readonly evidence: ColumnEvidence
}

interface DecideInput {
  readonly opened: OpenReading
  readonly sample: Sample
  readonly options: CommonOptions
  readonly context: ValueContext
  readonly names: ColumnNames
  readonly progress: Progress
}

/** Names the columns and finds their types on the sample. */
async function decideColumns(given: DecideInput): Promise<DecidedColumn[]> {
  const { opened, sample, options, context, names, progress } = given
  const { reading } = opened
  const named = names.nameAll(reading.headers, [])
  const placeOf = placesIn(reading)
  const detectors = named.map(
    (column, at) =>
      new TypeDetector(
        context,
        heldType(options, names, column) ?? statedType(column.name, reading.stated?.[at]),
        placeOf,
      ),
  )
  for (const batch of rowsOfSample(sample)) {
    for (let from = 0; from < batch.rows;) {
      const to = stretchEnd(batch, from)
      for (const [column, detector] of detectors.entries()) {
        detector.observe(batch, column, from, to)
        await progress.pause({ bytesRead: opened.bytesRead, rows: 0, rejected: 0 })
      }
      from = to
    }
  }
  return named.map((column, at) => ({ ...column, ...detectors[at]!.decide() }))
}

export function planOf({ name, column, decision }: DecidedColumn): ColumnPlan {
  return toPlan(name, column, decision)
}

export function placesIn(reading: Reading): PlaceOf {
  return (batch, row, column) => reading.place(batch, row, column)
}

function heldType(
  { columns = [] }: CommonOptions,
  names: ColumnNames,
  { header, name }: NamedColumn,
): HeldType | null {
  return names.heldType(name, overrideOf(columns, header) ?? overrideOf(columns, name))
}

function statedType(name: string, stated: StatedType | undefined): HeldType | null {
  return stated === undefined ? null : { name, type: stated.type, statedAs: stated.sqlType }
}

interface LateColumn extends NamedColumn {
  readonly detector: TypeDetector
}

/** Columns that appear only after the types were decided, such as a JSON key that occurs late. */
export class LateColumns {
  readonly #known: readonly NamedColumn[]
  readonly #names: ColumnNames
  readonly #options: CommonOptions
  readonly #context: ValueContext
  readonly #reading: Reading
  readonly #late: LateColumn[] = []

  constructor(input: {
    known: readonly NamedColumn[]
    names: ColumnNames
    options: CommonOptions
    context: ValueContext
    reading: Reading
  }) {
    this.#known = input.known
    this.#names = input.names
    this.#options = input.options
    this.#context = input.context
    this.#reading = input.reading
  }

  get found(): boolean {
    return this.#late.length > 0
  }

  /** Every column so far, with the late ones at the end. */
  get allNames(): readonly NamedColumn[] {
    return [...this.#known, ...this.#late]
  }

  /** Must be given every batch: a late column is examined from its first value to its last. */
  note(batch: Batch): void {
    if (batch.width <= this.#known.length) return
    const before = this.allNames
    if (batch.width > before.length) {
      const raw = this.#reading.headers.slice(before.length, batch.width)
      for (const named of this.#names.nameAll(raw, before)) {
        const held = heldType(this.#options, this.#names, named)
        const detector = new TypeDetector(this.#context, held, placesIn(this.#reading))
        this.#late.push({ ...named, detector })
      }
    }
    for (const [at, { detector }] of this.#late.entries()) {
      detector.observe(batch, this.#known.length + at)
    }
  }

  decide(): readonly DecidedColumn[] {
    return this.#late.map(({ detector, ...named }) => ({ ...named, ...detector.decide() }))
  }
}

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

/** What a void pass hands to the next one, so that it does not fail in the same way. */
export interface Restart {
  readonly restarts: number
  /** What the reader found out about the input. */
  readonly learned: Learned
  readonly columns: readonly DecidedColumn[]
  readonly widenings: readonly Widening[]
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

interface ExpectedColumn {
  /** Normalised header. */
  readonly name: string
  readonly pointer: string
  /** Whether it is enough that the table has it. */
  readonly mayBeEmpty: boolean
  readonly refusal: (what: { readonly name: string } & KnownNames) => Message
}

/**
 * The columns that the request names: those with a given type, and the key. All of them must exist
 * at the end, which is that of the input if headers may still be added.
 */
export class ExpectedColumns {
  /** The columns that the table has, whether or not the input has them. */
  readonly #known: readonly string[]
  readonly #expected: readonly ExpectedColumn[]

  constructor({ columns = [] }: CommonOptions, key: string | null, target: TargetColumns) {
    this.#known =
      target.kind === 'expected' ? target.expectation.columns.map(({ name }) => name) : []
    const given: ExpectedColumn[] = columns.map(({ name }, at) => ({
      name,
      pointer: `/columns/${at}/name`,
      mayBeEmpty: true,
      refusal: refusalMessages.noColumn,
    }))
    if (key !== null) {
      const refusal = refusalMessages.noKeyColumn
      given.push({ name: key, pointer: '/mode/key', mayBeEmpty: false, refusal })
    }
    this.#expected = given
  }

  /** Expected names that are not among these columns. */
  missing(columns: readonly NamedColumn[]): readonly string[] {
    return this.#missing(columns).map(({ name }) => name)
  }

  /** Refuses the first expected name that is not among these columns, and lists them. */
  require(columns: readonly NamedColumn[]): void {
    const [missing] = this.#missing(columns)
    if (missing === undefined) return
    const { name, pointer, refusal } = missing
    const message = refusal({ name, ...knownNames(columns.map((column) => column.name)) })
    throw new EngineError(message, { kind: 'options', pointer })
  }

  #missing(columns: readonly NamedColumn[]): readonly ExpectedColumn[] {
    const sent = new Set(kept(columns).map(({ name }) => name))
    const known = new Set([...columns.map(({ header }) => header), ...sent, ...this.#known])
    return this.#expected.filter(({ name, mayBeEmpty }) => !(mayBeEmpty ? known : sent).has(name))
  }
}
