import { type Batch, cellText } from '../core/batch.ts'
import { EngineError } from '../core/errors.ts'
import type { Message } from '../core/message.ts'
import type { InvalidPolicy } from '../core/options.ts'
import type { Reading } from '../core/reader.ts'
import type { CopyBuffer } from '../encoders/copy-buffer.ts'
import type { CellEncoder } from '../encoders/encoder.ts'
import { isNull, isRefused, Outcome } from '../cells/outcome.ts'
import { RowNumber } from '../encoders/row-number.ts'
import type { RejectedRow } from '../sinks/rejects.ts'
import { createEncoder } from '../transforms/cast.ts'
import {
  cellMessages,
  invalidCellMessage,
  shownValue,
  unstorableCellMessage,
} from '../cells/cell-messages.ts'
import { counterExample, type PlaceOf } from '../cells/counter-example.ts'
import { OutcomeTally } from '../transforms/evidence.ts'
import type { ValueContext } from '../transforms/value-context.ts'
import { isBlankRow } from '../cells/blank-row.ts'
import { ColumnSurveys } from './column-surveys.ts'
import { kept } from './column-names.ts'
import { type DecidedColumn, placesIn } from './decide-columns.ts'
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
  /** The number of rows to count on from; default: 0. */
  readonly rowsBefore?: bigint
  /** Header of the column that no row may leave empty; null: there is none. */
  readonly key?: string | null
  /** For rows that go to a table: is told of each row. */
  readonly widest?: WidestRow
  /** Receives the rows that `skip` leaves out. */
  reject(row: RejectedRow): void
}

/** For columns that are not loaded. */
const LEFT_OUT: CellEncoder = { encode: () => Outcome.stored }

/**
 * Turns rows into COPY's binary form, one after another and without promises. What cannot be
 * stored is handled as the policy says; it never stops at the first fault, so that one pass finds
 * all.
 */
export class RowCaster {
  /** Cells because of which the whole load is refused. */
  readonly refusing = new InvalidCells()
  invalidCells = 0
  readonly surveys: ColumnSurveys
  readonly tally: OutcomeTally
  read = 0
  loaded = 0
  rejected = 0
  blank = 0
  readonly #columns: readonly DecidedColumn[]
  readonly #encoders: readonly CellEncoder[]
  /** Of a row in COPY, with its number. */
  readonly #fields: number
  readonly #onInvalid: InvalidPolicy
  readonly #skipsBrokenRows: boolean
  readonly #reading: Reading
  readonly #placeOf: PlaceOf
  readonly #rowNumber: RowNumber
  readonly #key: number
  readonly #widest: WidestRow | null
  readonly #reject: (row: RejectedRow) => void

  constructor({ columns, context, onInvalid, reading, reject, ...options }: CasterOptions) {
    this.surveys = new ColumnSurveys(columns, context, reading)
    this.tally = new OutcomeTally(columns.length)
    this.#columns = columns
    this.#encoders = columns.map(({ isLeft, decision }) =>
      isLeft ? LEFT_OUT : createEncoder(decision, context),
    )
    this.#fields = kept(columns).length + 1
    this.#onInvalid = onInvalid
    this.#skipsBrokenRows = options.skipsBrokenRows ?? onInvalid === 'skip'
    this.#reading = reading
    this.#placeOf = placesIn(reading)
    this.#rowNumber = new RowNumber(options.rowsBefore ?? 0n)
    this.#key = columns.findIndex(({ name, isLeft }) => name === options.key && !isLeft)
    this.#widest = options.widest ?? null
    this.#reject = reject
  }

  /** Whether the encoded rows are useless: a type was broken, or an invalid cell refuses the load. */
  get isVoid(): boolean {
    return this.surveys.foundBroken || this.refusing.total > 0
  }

  /** Encodes rows, starting with `from`, until `out` holds `fullBytes`; returns where it stopped. */
  cast(batch: Batch, from: number, out: CopyBuffer, fullBytes: number): number {
    const { faults, rows } = batch
    let fault = faults.findIndex(({ row }) => row >= from)
    let row = from
    for (; row < rows && out.length < fullBytes; row++) {
      this.read++
      if (fault !== -1 && faults[fault]?.row === row) {
        this.#breakOff(batch, row, faults[fault]!.message)
        fault++
      } else if (isBlankRow(batch, row)) this.blank++
      else this.#castRow(batch, row, out)
    }
    return row
  }

  #castRow(batch: Batch, row: number, out: CopyBuffer): void {
    const encoders = this.#encoders
    const { tally } = this
    const rowStart = out.length
    out.int16(this.#fields)
    this.#rowNumber.write(out, this.loaded + 1)
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
      if (encoders[column] === LEFT_OUT) continue
      tally.add(column, Outcome.blank)
      out.null()
      if (column !== this.#key || this.#settle(batch, row, column, Outcome.blank)) continue
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
    const { name } = this.#columns[at]!
    const message = this.#refusal(batch, row, at, outcome)
    const where = counterExample(batch, row, at, this.#placeOf)
    this.invalidCells++
    if (this.#onInvalid !== 'skip') {
      // Without its key, a row would be added again by every load.
      const refuses = this.#onInvalid === 'reject' || at === this.#key
      if (refuses) this.refusing.add({ ...where, column: name, message })
      return true
    }
    this.#reject({
      row: where.row,
      line: where.line ?? null,
      column: name,
      value: at < batch.width ? cellText(batch, row, at) : null,
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
    this.#reject({ row: ordinal, line, column: null, value: null, message, raw })
    this.rejected++
  }
}
