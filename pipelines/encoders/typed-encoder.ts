import { type Batch, CellKind, isValue } from '../core/batch.ts'
import { isNullText, type NullValues } from '../cells/known-words.ts'
import { skipSpace, skipSpaceBack } from '../cells/white-space.ts'
import { ShownDigits, saysMoreThanNumber } from '../cells/shown-digits.ts'
import { type CopyBuffer, viewOf, putInt32 } from './copy-buffer.ts'
import type { CellEncoder } from './encoder.ts'
import { Outcome } from '../cells/outcome.ts'
import { type ValueWriter, writeNull } from './value-writer.ts'
import { POSTGRES_EPOCH_DAYS } from '../dates/civil.ts'
import { writeBoolean } from './boolean.ts'
import { putDecimal } from './numbers.ts'

/**
 * What every type except text has in common: surrounding white space, blanks, and texts for NULL.
 * It is one class with a writer rather than several subclasses, so that V8 sees a single shape
 * here.
 */
export class TypedEncoder implements CellEncoder {
  readonly #writer: ValueWriter
  readonly #nullValues: NullValues | null
  readonly #keepsShown: boolean
  readonly #digits = new ShownDigits()
  /** A view of the batch's bytes, to read several at a time. */
  #bytes: Uint8Array = new Uint8Array(0)
  #view = viewOf(this.#bytes)

  /** `keepsShown`: refuses numbers whose shown digits are more than the number itself. */
  constructor(writer: ValueWriter, nullValues: NullValues, keepsShown = false) {
    this.#writer = writer
    this.#nullValues = nullValues.none ? null : nullValues
    this.#keepsShown = keepsShown
  }

  get looks(): number {
    return this.#writer.judgeAhead === undefined ? 0 : 1
  }

  judgeAhead({ bytes, start: starts, end: ends, kinds }: Batch, cell: number): boolean {
    const start = skipSpace(bytes, starts[cell]!, ends[cell]!)
    if (start >= ends[cell]!) return true
    const end = skipSpaceBack(bytes, start, ends[cell]!)
    const kind = kinds === null ? CellKind.text : kinds[cell]!
    return this.#writer.judgeAhead?.(bytes, start, end, kind) ?? true
  }

  forgetAhead(): void {
    this.#writer.forgetAhead?.()
  }

  encode(batch: Batch, cell: number, out: CopyBuffer): Outcome {
    const { bytes, kinds } = batch
    let start = batch.start[cell]!
    let end = batch.end[cell]!
    // An empty cell, or none at all: NULL_CELL is before every start.
    if (end <= start) return writeNull(out, Outcome.blank)
    const kind = kinds === null ? CellKind.text : kinds[cell]!
    if (isValue(kind)) {
      if (bytes !== this.#bytes) this.#look(bytes)
      return writeValue(kind, this.#view, start, out)
    }
    if (!isInk(bytes[start]!)) start = skipSpace(bytes, start, end)
    if (start === end) return writeNull(out, Outcome.blank)
    if (!isInk(bytes[end - 1]!)) end = skipSpaceBack(bytes, start, end)
    if (this.#nullValues?.has(bytes, start, end)) return writeNull(out, Outcome.nullValue)
    if (kind === CellKind.shownDigits) return this.#encodeShown(bytes, start, end, out)
    const outcome = this.#writer.write(bytes, start, end, kind, out)
    if (outcome !== Outcome.invalid && outcome !== Outcome.misfit) return outcome
    return isNullText(bytes, start, end) ? writeNull(out, Outcome.nullText) : outcome
  }

  #encodeShown(bytes: Buffer, start: number, end: number, out: CopyBuffer): Outcome {
    if (this.#keepsShown && saysMoreThanNumber(bytes, start, end)) return Outcome.misfit
    const digits = this.#digits
    digits.take(bytes, start, end)
    return this.#writer.write(digits.bytes, 0, digits.length, CellKind.number, out)
  }

  #look(bytes: Uint8Array): void {
    this.#bytes = bytes
    this.#view = viewOf(bytes)
  }
}

/** Whether a byte is certainly not white space; others may be part of it. */
function isInk(byte: number): boolean {
  return byte > 0x20 && byte < 0x80
}

const TWO_32 = 0x1_0000_0000
const EPOCH_MICROSECONDS = POSTGRES_EPOCH_DAYS * 86_400_000_000
const EPOCH = { high: Math.floor(EPOCH_MICROSECONDS / TWO_32), low: EPOCH_MICROSECONDS % TWO_32 }

/** Writes a typed cell as a field of the type that belongs to its kind. */
function writeValue(kind: number, view: DataView, at: number, out: CopyBuffer): Outcome {
  switch (kind) {
    case CellKind.int64:
      putHalves(out, view.getInt32(at), view.getInt32(at + 4))
      break
    case CellKind.day:
      out.reserve(8)
      putInt32(out.view, out.length, 4)
      out.length = putInt32(out.view, out.length + 4, view.getInt32(at) - POSTGRES_EPOCH_DAYS)
      break
    case CellKind.instant: {
      const low = view.getUint32(at + 4) - EPOCH.low
      putHalves(out, view.getInt32(at) - EPOCH.high - (low < 0 ? 1 : 0), low)
      break
    }
    case CellKind.bit:
      return writeBoolean(out, view.getUint8(at))
    default:
      putDecimal(out, view.getFloat64(at + 1), view.getUint8(at))
  }
  return Outcome.stored
}

function putHalves(out: CopyBuffer, high: number, low: number): void {
  out.reserve(12)
  const at = putInt32(out.view, putInt32(out.view, out.length, 8), high)
  out.length = putInt32(out.view, at, low)
}
