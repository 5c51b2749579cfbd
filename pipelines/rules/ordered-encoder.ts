import type { Outcome } from '../cells/outcome.ts'
import type { Batch } from '../core/batch.ts'
import type { SqlType } from '../core/plan.ts'
import type { CopyBuffer } from '../encoders/copy-buffer.ts'
import type { CellEncoder } from '../encoders/encoder.ts'
import { nearlyNumeric } from '../encoders/json-text.ts'
import { areApart } from './decimals.ts'

const LENGTH_BYTES = 4
/** Longer values are not compared: what people number is short. */
const LONGEST = 256

type Compare = (one: Buffer, oneAt: number, other: Buffer, otherAt: number) => number

/**
 * Watches whether the values of a column come in order, each beyond the one before it, as the
 * numbers of invoices and the keys of most exports do: then none of them is there twice, and nobody
 * has to sort them to find out. It keeps one value. That they are in no order says nothing.
 */
export class OrderedEncoder implements CellEncoder {
  readonly #encoder: CellEncoder
  readonly #directions: readonly Direction[]
  readonly #last = Buffer.alloc(LONGEST)
  #lastLength = -1

  constructor(encoder: CellEncoder, sqlType: SqlType) {
    this.#encoder = encoder
    this.#directions = ORDERS[sqlType].map((compare) => new Direction(compare))
  }

  /** So far, in one of the orders that there are of such values. */
  get isInOrder(): boolean {
    return this.#directions.some(({ isKept }) => isKept)
  }

  encode(batch: Batch, cell: number, out: CopyBuffer): Outcome {
    const at = out.length
    const outcome = this.#encoder.encode(batch, cell, out)
    if (out.length > at && this.isInOrder) this.#note(out.bytes, at)
    return outcome
  }

  /** `at`: where a field begins, with its length. NULL stands in no order. */
  #note(bytes: Buffer, at: number): void {
    const length = bytes.readInt32BE(at)
    if (length < 0) return
    const size = LENGTH_BYTES + length
    if (size > LONGEST) {
      for (const direction of this.#directions) direction.isKept = false
      return
    }
    if (this.#lastLength >= 0) {
      for (const direction of this.#directions) direction.note(this.#last, bytes, at)
    }
    for (let i = 0; i < size; i++) this.#last[i] = bytes[at + i]!
    this.#lastLength = length
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

  note(last: Buffer, bytes: Buffer, at: number): void {
    if (!this.isKept) return
    const order = this.#compare(bytes, at, last, 0)
    this.#isUp ??= order > 0
    this.isKept = order !== 0 && order > 0 === this.#isUp
  }
}

const byBytes: Compare = (one, oneAt, other, otherAt) => {
  const oneLength = one.readInt32BE(oneAt)
  const otherLength = other.readInt32BE(otherAt)
  const shorter = Math.min(oneLength, otherLength)
  for (let i = LENGTH_BYTES; i < LENGTH_BYTES + shorter; i++) {
    const difference = one[oneAt + i]! - other[otherAt + i]!
    if (difference !== 0) return difference
  }
  return oneLength - otherLength
}

/** F-9 before F-10. */
const byLength: Compare = (one, oneAt, other, otherAt) =>
  one.readInt32BE(oneAt) - other.readInt32BE(otherAt) || byBytes(one, oneAt, other, otherAt)

const by32Bits: Compare = (one, oneAt, other, otherAt) =>
  one.readInt32BE(oneAt + LENGTH_BYTES) - other.readInt32BE(otherAt + LENGTH_BYTES)

const by64Bits: Compare = (one, oneAt, other, otherAt) =>
  by32Bits(one, oneAt, other, otherAt) ||
  one.readUInt32BE(oneAt + 2 * LENGTH_BYTES) - other.readUInt32BE(otherAt + 2 * LENGTH_BYTES)

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
