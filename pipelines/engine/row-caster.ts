import { type Batch, cellText } from '../core/batch.ts'
import { CELL_ERRORS_SHOWN, EngineError } from '../core/errors.ts'
import type { Message } from '../core/message.ts'
import type { InvalidPolicy } from '../core/options.ts'
import type { Reading } from '../core/reader.ts'
import type { CounterExample } from '../core/report.ts'
import { type CopyBuffer, RowNumber } from '../encoders/copy-buffer.ts'
import type { CellEncoder } from '../encoders/encoder.ts'
import { isNull, isRefused, Outcome, OutcomeTally } from '../cells/outcome.ts'
import type { RejectedRow } from '../sinks/table-load.ts'
import { createEncoder } from '../transforms/cast.ts'
import {
  cellMessages,
  invalidCellMessage,
  shownValue,
  unstorableCellMessage,
  counterExample,
  type PlaceOf,
} from '../cells/cell-messages.ts'
import { JudgedEncoder, type OnWarning } from '../rules/judged-encoder.ts'
import { OrderedEncoder } from '../rules/ordered-encoder.ts'
import { type JudgedRule, judgedRowRules, judgedRules, RuleTally } from '../rules/judged-rule.ts'
import { RowJudge } from '../rules/row-judge.ts'
import { isAskedOnce, type TableRules } from '../rules/table-rules.ts'
import type { ValueContext } from '../transforms/value-context.ts'
import { isBlankRow } from '../cells/white-space.ts'
import { ColumnSurveys } from './column-surveys.ts'
import { kept } from './column-names.ts'
import { type DecidedColumn, placesIn } from './decide-table.ts'
import { JudgedAhead, MOST_BYTES_JUDGED } from './judged-ahead.ts'
import { InvalidCells } from './invalid-cells.ts'
import type { WidestRow } from './widest-row.ts'
import { placeMessages, placeOfRow } from '../core/place-messages.ts'

interface CasterOptions {
  readonly columns: readonly DecidedColumn[]
  readonly context: ValueContext
  readonly onInvalid: InvalidPolicy
  /** Leaves broken rows out and continues, as with `skip`, whatever happens to invalid cells. */
  readonly skipsBrokenRows?: boolean
  readonly reading: Reading
  /** Null: nothing is asked of the rows besides their types. */
  readonly rules: TableRules | null
  /** How many invalid cells are listed one by one. */
  readonly errorsShown?: number
  /** The number of rows to count on from; default: 0. */
  readonly rowsBefore?: bigint
  /** Rows keep the numbers that they have in the input, whether those before them are loaded or not. */
  readonly numberedAsRead?: boolean
  /** Header of the column that no row may leave empty; null: there is none. */
  readonly key?: string | null
  /** For rows that go to a table: is told of each row. */
  readonly widest?: WidestRow
  /** Receives the rows that `skip` leaves out. */
  reject(row: RejectedRow): void
}

/** A broken row is written again as text, cell by cell: a cell is as much work as so many bytes. */
const BYTES_OF_BROKEN_CELL = 64

/** For columns that are not loaded. */
const LEFT_OUT: CellEncoder = { encode: () => Outcome.stored }

/**
 * Turns rows into COPY's binary form, one after another and without promises. What cannot be
 * stored is handled as the policy says; it never stops at the first fault, so that one pass finds
 * all.
 */
export class RowCaster {
  /** Cells because of which the whole load is refused. */
  readonly refusing: InvalidCells
  invalidCells = 0
  readonly surveys: ColumnSurveys
  readonly tally: OutcomeTally
  readonly ruleTally = new RuleTally()
  read = 0
  loaded = 0
  rejected = 0
  blank = 0
  readonly #columns: readonly DecidedColumn[]
  readonly #encoders: readonly CellEncoder[]
  readonly #judgedAhead: JudgedAhead
  /** The columns that a row has in COPY, by their places in the input. */
  readonly #kept: readonly number[]
  /** Of a row in COPY, with its number. */
  readonly #fields: number
  readonly #onInvalid: InvalidPolicy
  readonly #skipsBrokenRows: boolean
  readonly #reading: Reading
  readonly #placeOf: PlaceOf
  readonly #rowNumber: RowNumber
  readonly #numberedAsRead: boolean
  readonly #key: number
  readonly #widest: WidestRow | null
  readonly #rules: RowRules | null
  /** Of the columns in which no value may be twice, by their places in the input. */
  readonly #ordered = new Map<number, OrderedEncoder>()
  readonly #reject: (row: RejectedRow) => void

  constructor({ columns, context, onInvalid, reading, rules, reject, ...options }: CasterOptions) {
    this.refusing = new InvalidCells(options.errorsShown ?? CELL_ERRORS_SHOWN)
    this.surveys = new ColumnSurveys(columns, context, reading)
    this.tally = new OutcomeTally(columns.length)
    this.#columns = columns
    this.#encoders = columns.map((column, at) => this.#encoderOf(column, at, context, rules))
    this.#judgedAhead = new JudgedAhead(this.#encoders)
    this.#kept = columns.flatMap(({ isLeft }, at) => (isLeft ? [] : [at]))
    this.#fields = this.#kept.length + 1
    this.#onInvalid = onInvalid
    this.#skipsBrokenRows = options.skipsBrokenRows ?? onInvalid === 'skip'
    this.#reading = reading
    this.#placeOf = placesIn(reading)
    this.#rowNumber = new RowNumber(options.rowsBefore ?? 0n)
    this.#numberedAsRead = options.numberedAsRead ?? false
    this.#key = columns.findIndex(({ name, isLeft }) => name === options.key && !isLeft)
    this.#widest = options.widest ?? null
    this.#rules = rules === null ? null : rowRules(rules, columns)
    this.#reject = reject
  }

  #encoderOf(
    { name, isLeft, decision }: DecidedColumn,
    column: number,
    context: ValueContext,
    rules: TableRules | null,
  ): CellEncoder {
    if (isLeft) return LEFT_OUT
    const { sqlType } = decision
    const own = judgedRules(rules?.ofColumns.get(name) ?? [], decision.type)
    let encoder = createEncoder(decision, context)
    if (rules !== null && isAskedOnce(rules, name)) {
      const ordered = new OrderedEncoder(encoder, sqlType)
      if (ordered.isInOrder) {
        this.#ordered.set(column, ordered)
        encoder = ordered
      }
    }
    if (own.length === 0) return encoder
    const onWarning: OnWarning = (rule, batch, row, at) =>
      this.#warn(rule, batch, row, at, () => rule.broken(shownAt(batch, row, at)))
    return new JudgedEncoder({ encoder, sqlType, rules: own, column, onWarning })
  }

  /** Columns, by their names in SQL, of which it was seen that no value is there twice. */
  get distinct(): readonly string[] {
    return [...this.#ordered].flatMap(([column, { isInOrder }]) =>
      isInOrder ? [this.#columns[column]!.column] : [],
    )
  }

  /**
   * Encodes rows, starting with `from`, until `out` holds `fullBytes` or enough was looked at that
   * others should have their turn; returns where it stopped, which may be at `from`.
   */
  cast(batch: Batch, from: number, out: CopyBuffer, fullBytes: number): number {
    const { faults, rows } = batch
    let fault = faults.findIndex(({ row }) => row >= from)
    let row = from
    let judged = 0
    for (; row < rows && out.length < fullBytes && judged < MOST_BYTES_JUDGED; row++) {
      const toJudge = this.#judgedAhead.bytesOf(batch, row)
      judged += toJudge
      if (toJudge > MOST_BYTES_JUDGED && !this.#judgedAhead.judge(batch, row)) break
      this.read++
      if (fault !== -1 && faults[fault]?.row === row) {
        this.#breakOff(batch, row, faults[fault]!.message)
        judged += BYTES_OF_BROKEN_CELL * batch.width
        fault++
      } else if (isBlankRow(batch, row)) this.blank++
      else this.#castRow(batch, row, out)
      if (toJudge > MOST_BYTES_JUDGED) this.#judgedAhead.forget()
    }
    return row
  }

  #castRow(batch: Batch, row: number, out: CopyBuffer): void {
    const encoders = this.#encoders
    const { tally } = this
    const rowStart = out.length
    out.int16(this.#fields)
    this.#rowNumber.write(out, this.#numberedAsRead ? batch.firstRow + row : this.loaded + 1)
    const width = batch.width < encoders.length ? batch.width : encoders.length
    let cell = row * batch.width
    for (let column = 0; column < width; column++, cell++) {
      const outcome = encoders[column]!.encode(batch, cell, out)
      if (outcome === Outcome.stored) continue
      tally.add(column, outcome)
      if (outcome === Outcome.misfit) {
        this.surveys.addBroken(column)
        out.null()
      } else if (isRefused(outcome) || (column === this.#key && isNull(outcome))) {
        if (!this.#settle(batch, row, column, outcome)) return this.#leaveOut(out, rowStart)
        if (isRefused(outcome)) out.null()
      }
    }
    for (let column = width; column < encoders.length; column++) {
      const encoder = encoders[column]!
      if (encoder === LEFT_OUT) continue
      const outcome =
        encoder instanceof JudgedEncoder ? encoder.judgeAbsent(batch, row) : Outcome.blank
      tally.add(column, outcome)
      out.null()
      if (outcome === Outcome.blank && column !== this.#key) continue
      if (!this.#settle(batch, row, column, outcome)) return this.#leaveOut(out, rowStart)
    }
    if (this.#rules !== null && !this.#judgeRow(this.#rules, batch, row, out, rowStart)) {
      return this.#leaveOut(out, rowStart)
    }
    this.loaded++
    this.#widest?.note(out, rowStart, batch, row)
  }

  #leaveOut(out: CopyBuffer, rowStart: number): void {
    out.rewind(rowStart)
    this.rejected++
  }

  /** Decides about a cell that does not fit its column. False if the whole row has to be left out. */
  #settle(batch: Batch, row: number, at: number, outcome: Outcome): boolean {
    const fault = { column: this.#columns[at]!.name, at }
    if (outcome !== Outcome.broken) {
      return this.#refuse(batch, row, { ...fault, message: this.#refusal(batch, row, at, outcome) })
    }
    const { broken } = this.#encoders[at] as JudgedEncoder
    const value = shownAt(batch, row, at)
    // A row that is left out is left out once, for the first that it breaks.
    return broken.every((rule) =>
      this.#refuse(batch, row, { ...fault, rule: rule.rule, message: rule.broken(value) }),
    )
  }

  /** What all of a row is asked. False if it has to be left out. */
  #judgeRow(
    { absent, judge }: RowRules,
    batch: Batch,
    row: number,
    out: CopyBuffer,
    rowStart: number,
  ): boolean {
    for (const { column, rule } of absent) {
      const message = rule.broken('')
      if (rule.isWarning) this.#warn(rule, batch, row, null, () => message, column)
      else if (!this.#refuse(batch, row, { column, at: null, rule: rule.rule, message })) {
        return false
      }
    }
    if (!judge.isNeeded) return true
    for (const { rule, field, message } of judge.judge(out, rowStart)) {
      const at = this.#kept[field]!
      if (rule.isWarning) {
        this.#warn(rule, batch, row, at, () => message)
        continue
      }
      const column = this.#columns[at]!.name
      if (!this.#refuse(batch, row, { column, at, rule: rule.rule, message })) return false
      judge.setNull(out, field)
    }
    return true
  }

  #warn(
    { rule }: { readonly rule: string },
    batch: Batch,
    row: number,
    at: number | null,
    message: () => Message,
    column = this.#columns[at!]!.name,
  ): void {
    this.ruleTally.addWarning(rule, () => ({
      ...this.#where(batch, row, at),
      column,
      message: message(),
    }))
  }

  #where(batch: Batch, row: number, at: number | null): CounterExample {
    // Where no column was sent, there is no cell to name.
    const { value, place, ...where } = counterExample(batch, row, at ?? 0, this.#placeOf)
    return at === null ? { ...where, value: '' } : { ...where, ...(place && { place }), value }
  }

  /** False if the whole row has to be left out. */
  #refuse(batch: Batch, row: number, { column, at, rule, message }: Fault): boolean {
    const where = this.#where(batch, row, at)
    this.invalidCells++
    this.ruleTally.addError(rule ?? 'type')
    if (this.#onInvalid !== 'skip') {
      // Without its key, a row would be added again by every load.
      const refuses = this.#onInvalid === 'reject' || at === this.#key
      if (refuses) this.refusing.add({ ...where, column, message, ...(rule && { rule }) })
      return true
    }
    this.#reject({
      row: where.row,
      line: where.line ?? null,
      column,
      value: at !== null && at < batch.width ? cellText(batch, row, at) : null,
      message,
      raw: this.#reading.rawRow(batch, row),
    })
    return false
  }

  #refusal(batch: Batch, row: number, at: number, outcome: Outcome): Message {
    const { decision, name } = this.#columns[at]!
    if (isNull(outcome)) return cellMessages.absentKey({ header: name })
    const value = shownValue(batch, row * batch.width + at)
    if (outcome === Outcome.unstorable) return unstorableCellMessage(decision.type, value)
    const format = decision.type === 'date' ? (decision.pattern ?? decision.dateFormat) : undefined
    return invalidCellMessage(decision.type, value, format)
  }

  /** A row with a broken structure: only `skip` continues, since nobody knows what else is wrong. */
  #breakOff(batch: Batch, row: number, message: Message): void {
    const line = batch.lines?.[row] ?? null
    const ordinal = batch.firstRow + row
    if (!this.#skipsBrokenRows) {
      const at = line === null ? { row: ordinal } : { row: ordinal, line }
      const text = placeMessages.fault({ place: placeOfRow(at), fault: message })
      throw new EngineError(text, { kind: 'structure', ...at })
    }
    const raw = this.#reading.rawRow(batch, row)
    this.ruleTally.addError('structure')
    this.#reject({ row: ordinal, line, column: null, value: null, message, raw })
    this.rejected++
  }
}

/** What is wrong with a row, and in which cell. */
interface Fault {
  readonly column: string
  /** The place of the column in the input; null: it was not sent. */
  readonly at: number | null
  readonly rule?: string
  readonly message: Message
}

interface RowRules {
  /** Rules of columns that were not sent, and must not be blank. */
  readonly absent: readonly { readonly column: string; readonly rule: JudgedRule }[]
  readonly judge: RowJudge
}

/** Null: rows as a whole are asked nothing. */
function rowRules(
  { ofColumns, ofRows }: TableRules,
  columns: readonly DecidedColumn[],
): RowRules | null {
  const sent = kept(columns)
  const there = new Set(sent.map(({ name }) => name))
  const absent = [...ofColumns].flatMap(([column, rules]) =>
    there.has(column)
      ? []
      : judgedRules(rules, 'text')
          .filter(({ isRequired }) => isRequired)
          .map((rule) => ({ column, rule })),
  )
  const fields = sent.map(({ name, decision: { sqlType } }) => ({ name, sqlType }))
  const judge = new RowJudge(judgedRowRules(ofRows), fields)
  return absent.length === 0 && !judge.isNeeded ? null : { absent, judge }
}

const shownAt = (batch: Batch, row: number, at: number): string =>
  at < batch.width ? shownValue(batch, row * batch.width + at) : ''
