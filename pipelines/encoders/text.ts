import type { Batch } from '../core/batch.ts'
import type { NullValues } from '../cells/known-words.ts'
import { skipSpace, skipSpaceBack } from '../cells/white-space.ts'
import { putInt32, viewOf, type CopyBuffer } from './copy-buffer.ts'
import type { CellEncoder } from './encoder.ts'
import { Outcome } from '../cells/outcome.ts'
import { writeNull } from './value-writer.ts'

/** From this length on, a native copy is worth the call. */
const LONG = 128

/** Text is kept exactly; only a cell of nothing but white space becomes NULL. */
export class TextEncoder implements CellEncoder {
  readonly #nullValues: NullValues
  /** A view of the batch's bytes, to read several at a time. */
  #bytes: Uint8Array = new Uint8Array(0)
  #view = viewOf(this.#bytes)

  constructor(nullValues: NullValues) {
    this.#nullValues = nullValues
  }

  encode(batch: Batch, cell: number, out: CopyBuffer): Outcome {
    const { bytes } = batch
    const start = batch.start[cell]!
    const end = batch.end[cell]!
    if (end <= start) return writeNull(out, Outcome.blank)
    const first = bytes[start]!
    if ((first <= 0x20 || first >= 0x80) && skipSpace(bytes, start, end) === end) {
      return writeNull(out, Outcome.blank)
    }
    if (!this.#nullValues.none && this.#isNamedNull(bytes, start, end)) {
      return writeNull(out, Outcome.nullValue)
    }
    const length = end - start
    out.reserve(length + 4)
    const to = putInt32(out.view, out.length, length)
    if (length < LONG) {
      if (bytes !== this.#bytes) this.#look(bytes)
      if (!copyShort(this.#view, start, length, out.view, to)) return Outcome.unstorable
    } else {
      if (bytes.subarray(start, end).includes(0)) return Outcome.unstorable
      bytes.copy(out.bytes, to, start, end)
    }
    out.length = to + length
    return Outcome.stored
  }

  /** The texts that the request named mean NULL in every column. */
  #isNamedNull(bytes: Uint8Array, start: number, end: number): boolean {
    const from = skipSpace(bytes, start, end)
    return this.#nullValues.has(bytes, from, skipSpaceBack(bytes, from, end))
  }

  #look(bytes: Uint8Array): void {
    this.#bytes = bytes
    this.#view = viewOf(bytes)
  }
}

/**
 * Copies four bytes at a time; the last four may overlap those before. False if one of the bytes is
 * zero.
 */
function copyShort(
  from: DataView,
  start: number,
  length: number,
  out: DataView,
  to: number,
): boolean {
  if (length < 4) {
    for (let i = 0; i < length; i++) {
      const byte = from.getUint8(start + i)
      if (byte === 0) return false
      out.setUint8(to + i, byte)
    }
    return true
  }
  const last = length - 4
  for (let i = 0; i < last; i += 4) {
    const four = from.getInt32(start + i)
    if (hasZeroByte(four)) return false
    out.setInt32(to + i, four)
  }
  const four = from.getInt32(start + last)
  out.setInt32(to + last, four)
  return !hasZeroByte(four)
}

function hasZeroByte(four: number): boolean {
  return ((four - 0x0101_0101) & ~four & 0x8080_8080) !== 0
}
