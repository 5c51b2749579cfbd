import type { Outcome } from '../cells/outcome.ts'
import type { Batch } from '../core/batch.ts'
import type { SqlType } from '../core/plan.ts'
import { type CopyBuffer, viewOf } from '../encoders/copy-buffer.ts'
import type { CellEncoder } from '../encoders/encoder.ts'
import { nearlyNumeric } from '../encoders/json-text.ts'
import { areApart } from './decimals.ts'

const LENGTH_BYTES = 4
/** Longer values are not compared: what people number is short. */
const LONGEST = 256

type Compare = (one: DataView, oneAt: number, other: DataView, otherAt: number) => number

/**
 * Watches whether the values of a column come in order, each beyond the one before it, as the
 * numbers of invoices and the keys of most exports do: then none of them is there twice, and nobody
 * has to sort them to find out. It keeps one value. That they are in no order says nothing.
 */
export class OrderedEncoder implements CellEncoder {
  readonly #encoder: CellEncoder
  readonly #directions: readonly Direction[]
  readonly #last = viewOf(Buffer.alloc(LONGEST))
  #hasLast = false
  /** So far, in one of the orders that there are of such values. */
  isInOrder: boolean

  constructor(encoder: CellEncoder, sqlType: SqlType) {
    this.#encoder = encoder
    this.#directions = ORDERS[sqlType].map((compare) => new Direction(compare))
    this.isInOrder = this.#directions.length > 0
  }

  encode(batch: Batch, cell: number, out: CopyBuffer): Outcome {
    const at = out.length
    const outcome = this.#encoder.encode(batch, cell, out)
    if (this.isInOrder && out.length > at) this.#note(out.view, at)
    return outcome
  }

  /** `at`: where a field begins, with its length. NULL stands in no order. */
  #note(view: DataView, at: number): void {
    const length = view.getInt32(at)
    if (length < 0) return
    const size = LENGTH_BYTES + length
    if (size > LONGEST) this.isInOrder = false
    else if (this.#hasLast) this.#compare(view, at)
    if (!this.isInOrder) return
    const last = this.#last
    let copied = 0
    for (; copied + 4 <= size; copied += 4) last.setInt32(copied, view.getInt32(at + copied))
    for (; copied < size; copied++) last.setUint8(copied, view.getUint8(at + copied))
    this.#hasLast = true
  }

  #compare(view: DataView, at: number): void {
    let isKept = false
    for (const direction of this.#directions) {
      direction.note(this.#last, view, at)
      isKept ||= direction.isKept
    }
    this.isInOrder = isKept
  }
}

/** Up or down, as the first two values are. */
class Direction {
  isKept = true
  #isUp: boolean | null = null
  readonly #compare: Compare

  constructor(compare: Compare) {
    this.#compare = compare
  }

  note(last: DataView, view: DataView, at: number): void {
    if (!this.isKept) return
    const order = this.#compare(view, at, last, 0)
    this.#isUp ??= order > 0
    this.isKept = order !== 0 && order > 0 === this.#isUp
  }
}

const byBytes: Compare = (one, oneAt, other, otherAt) => {
  const oneLength = one.getInt32(oneAt)
  const otherLength = other.getInt32(otherAt)
  const end = LENGTH_BYTES + Math.min(oneLength, otherLength)
  let i = LENGTH_BYTES
  while (i + 4 <= end && one.getInt32(oneAt + i) === other.getInt32(otherAt + i)) i += 4
  for (; i < end; i++) {
    const difference = one.getUint8(oneAt + i) - other.getUint8(otherAt + i)
    if (difference !== 0) return difference
  }
  return oneLength - otherLength
}

/** F-9 before F-10. */
const byLength: Compare = (one, oneAt, other, otherAt) =>
  one.getInt32(oneAt) - other.getInt32(otherAt) || byBytes(one, oneAt, other, otherAt)

const by32Bits: Compare = (one, oneAt, other, otherAt) =>
  one.getInt32(oneAt + LENGTH_BYTES) - other.getInt32(otherAt + LENGTH_BYTES)

const by64Bits: Compare = (one, oneAt, other, otherAt) =>
  by32Bits(one, oneAt, other, otherAt) ||
  one.getUint32(oneAt + 2 * LENGTH_BYTES) - other.getUint32(otherAt + 2 * LENGTH_BYTES)

/** Decimals that are too near to tell by doubles are taken for the same. */
const byDecimals: Compare = (one, oneAt, other, otherAt) => {
  const a = nearlyNumeric(one, oneAt + LENGTH_BYTES)
  const b = nearlyNumeric(other, otherAt + LENGTH_BYTES)
  return areApart(a, b) ? a - b : 0
}

/** The orders in which such values may come; in each of them, different places are different values. */
const ORDERS: Readonly<Record<SqlType, readonly Compare[]>> = {
  text: [byBytes, byLength],
  bigint: [by64Bits],
  timestamptz: [by64Bits],
  date: [by32Bits],
  numeric: [byDecimals],
  boolean: [],
  jsonb: [],
}
