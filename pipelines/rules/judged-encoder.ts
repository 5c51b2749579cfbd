import { isNull, isRefused, Outcome } from '../cells/outcome.ts'
import { type Batch, CellKind, cellText } from '../core/batch.ts'
import type { SqlType } from '../core/plan.ts'
import { CopyBuffer } from '../encoders/copy-buffer.ts'
import type { CellEncoder } from '../encoders/encoder.ts'
import { writeNull } from '../encoders/value-writer.ts'
import { inAllOf, type Span } from './bounds.ts'
import { CellValue } from './cell-value.ts'
import type { JudgedRule } from './judged-rule.ts'
import type { Notation } from './notations.ts'

/** Is told of values that break a rule without being refused for it. */
export type OnWarning = (rule: JudgedRule, batch: Batch, row: number, column: number) => void

interface JudgedColumn {
  readonly encoder: CellEncoder
  readonly sqlType: SqlType
  readonly rules: readonly JudgedRule[]
  /** Its place in a row. */
  readonly column: number
  readonly onWarning: OnWarning
}

/**
 * Judges what an encoder has written, so that the rows of a table without rules pay nothing for
 * those that have some.
 */
export class JudgedEncoder implements CellEncoder {
  /** Those that the cell which was judged last is refused for. */
  broken: readonly JudgedRule[] = []
  readonly #column: JudgedColumn
  readonly #value: CellValue
  readonly #notation: Notation | null
  readonly #plain: PlainCell
  /** What blanks break. */
  readonly #required: readonly JudgedRule[]
  /** What values can break. */
  readonly #asked: readonly JudgedRule[]
  /** Values of such a size can break these alone. */
  readonly #usual: Span
  readonly #askedOfUsual: readonly JudgedRule[]
  /** The long cell that is judged before its row is. */
  #ahead: JudgedAhead | null = null

  constructor(column: JudgedColumn) {
    this.#column = column
    this.#value = new CellValue(column.sqlType)
    this.#notation = column.rules.find(({ notation }) => notation !== null)?.notation ?? null
    this.#plain = new PlainCell(column.sqlType === 'boolean' ? CellKind.boolean : CellKind.number)
    this.#required = column.rules.filter(({ isRequired }) => isRequired)
    this.#asked = column.rules.filter(({ isRequired }) => !isRequired)
    const spans = new Map(this.#asked.map((rule) => [rule, rule.surelyKept(column.sqlType)]))
    this.#usual = inAllOf([...spans.values()].filter((span) => span !== null))
    this.#askedOfUsual = this.#asked.filter((rule) => spans.get(rule) === null)
  }

  get looks(): number {
    return this.#asked.length + (this.#column.encoder.looks ?? 0)
  }

  judgeAhead(batch: Batch, cell: number): boolean {
    if (this.#ahead === null) {
      if (this.#column.encoder.judgeAhead?.(batch, cell) === false) return false
      const out = new CopyBuffer()
      const outcome = this.#write(batch, cell, out)
      const isThere = !isRefused(outcome) && !isNull(outcome)
      if (isThere) this.#value.look(out.bytes, 0)
      const judging = isThere ? this.#brokenByPieces() : null
      this.#ahead = { judging, broken: [] }
    }
    const { judging } = this.#ahead
    if (judging === null) return true
    const { done, value } = judging.next()
    if (done === true) this.#ahead = { judging: null, broken: value }
    return done === true
  }

  forgetAhead(): void {
    this.#ahead = null
    this.#column.encoder.forgetAhead?.()
  }

  *#brokenByPieces(): Generator<void, readonly JudgedRule[]> {
    const broken: JudgedRule[] = []
    for (const rule of this.#asked) {
      if (!(yield* rule.isKeptByPieces(this.#value))) broken.push(rule)
    }
    return broken
  }

  encode(batch: Batch, cell: number, out: CopyBuffer): Outcome {
    const at = out.length
    const outcome = this.#write(batch, cell, out)
    if (isRefused(outcome)) return outcome
    const isKept = isNull(outcome)
      ? this.#passesNull(batch, cell, outcome)
      : this.#passes(batch, cell, out, at)
    if (isKept) return outcome
    out.rewind(at)
    return Outcome.broken
  }

  #write(batch: Batch, cell: number, out: CopyBuffer): Outcome {
    if (this.#notation === null) return this.#column.encoder.encode(batch, cell, out)
    const text = writtenText(batch, cell)
    this.#value.written = text
    return text === null
      ? this.#column.encoder.encode(batch, cell, out)
      : this.#encodeText(batch, cell, text, out)
  }

  /** A text is read as it is written, where that is said. */
  #encodeText(batch: Batch, cell: number, text: string, out: CopyBuffer): Outcome {
    const { encoder, sqlType } = this.#column
    if (this.#notation!.isMissing(text)) return writeNull(out, Outcome.nullValue)
    const plain = READ_ANEW.has(sqlType) ? this.#notation!.read(text) : null
    if (plain === null) return encoder.encode(batch, cell, out)
    return encoder.encode(this.#plain.of(plain), 0, out)
  }

  #passesNull(batch: Batch, cell: number, outcome: Outcome): boolean {
    const row = this.#rowOf(batch, cell)
    if (outcome !== Outcome.wellKnown || this.#value.written === null) {
      return this.#passesBlank(batch, row)
    }
    // Who says how values are written says as well which texts stand for none.
    const broken = this.#asked.filter(({ notation }) => notation !== null)
    return this.#settle(batch, row, broken)
  }

  /** Of a row that ends before the column. Writes nothing. */
  judgeAbsent(batch: Batch, row: number): Outcome {
    return this.#passesBlank(batch, row) ? Outcome.blank : Outcome.broken
  }

  #passes(batch: Batch, cell: number, out: CopyBuffer, at: number): boolean {
    if (this.#ahead !== null) {
      return this.#settle(batch, this.#rowOf(batch, cell), this.#ahead.broken)
    }
    const value = this.#value
    value.look(out.bytes, at)
    // Nearly all values keep all of them.
    const asked = value.isWithin(this.#usual) ? this.#askedOfUsual : this.#asked
    for (let each = 0; each < asked.length; each++) {
      if (asked[each]!.isKept(value)) continue
      const broken = asked.filter((rule) => !rule.isKept(value))
      return this.#settle(batch, this.#rowOf(batch, cell), broken)
    }
    return true
  }

  #rowOf(batch: Batch, cell: number): number {
    return (cell - this.#column.column) / batch.width
  }

  #passesBlank(batch: Batch, row: number): boolean {
    return this.#required.length === 0 || this.#settle(batch, row, this.#required)
  }

  #settle(batch: Batch, row: number, broken: readonly JudgedRule[]): boolean {
    const { column, onWarning } = this.#column
    for (const rule of broken) if (rule.isWarning) onWarning(rule, batch, row, column)
    this.broken = broken.filter(({ isWarning }) => !isWarning)
    return this.broken.length === 0
  }
}

interface JudgedAhead {
  /** Null: it is done. */
  readonly judging: Generator<void, readonly JudgedRule[]> | null
  readonly broken: readonly JudgedRule[]
}

/** Types whose values can be written in many ways. */
const READ_ANEW: ReadonlySet<SqlType> = new Set(['bigint', 'numeric', 'boolean'])

/** One cell with the plain text of a value, as encoders take them. */
class PlainCell implements Batch {
  bytes = Buffer.alloc(64)
  readonly start = Int32Array.of(0)
  readonly end = Int32Array.of(0)
  readonly kinds: Uint8Array
  readonly width = 1
  readonly rows = 1
  readonly firstRow = 1
  readonly lines = null
  readonly faults = []

  constructor(kind: CellKind) {
    this.kinds = Uint8Array.of(kind)
  }

  of(plain: string): Batch {
    // Plain texts of numbers and booleans are ASCII.
    if (plain.length > this.bytes.length) this.bytes = Buffer.alloc(plain.length * 2)
    this.end[0] = this.bytes.write(plain, 'latin1')
    return this
  }
}

function writtenText(batch: Batch, cell: number): string | null {
  const kind = batch.kinds?.[cell] ?? CellKind.text
  const row = Math.floor(cell / batch.width)
  return kind === CellKind.text ? cellText(batch, row, cell - row * batch.width) : null
}
