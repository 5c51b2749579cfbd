import type { Batch } from '../core/batch.ts'
import { skipSpace } from '../transforms/white-space.ts'
import { putInt32, type CopyBuffer } from './copy-buffer.ts'
import type { CellEncoder } from './encoder.ts'
import { Outcome } from './outcome.ts'
import { writeNull } from './typed-encoder.ts'

/** From this length on, a native copy is worth its call. */
const LONG = 48

/** Text is kept exactly; only a cell of nothing but white space is NULL. */
export class TextEncoder implements CellEncoder {
  encode(batch: Batch, cell: number, out: CopyBuffer): Outcome {
    const { bytes } = batch
    const start = batch.start[cell]!
    const end = batch.end[cell]!
    if (end <= start) return writeNull(out, Outcome.blank)
    const first = bytes[start]!
    if ((first <= 0x20 || first >= 0x80) && skipSpace(bytes, start, end) === end) {
      return writeNull(out, Outcome.blank)
    }
    const length = end - start
    out.reserve(length + 4)
    const target = out.bytes
    const to = putInt32(target, out.length, length)
    if (length < LONG) {
      for (let i = 0; i < length; i++) {
        const byte = bytes[start + i]!
        if (byte === 0) return Outcome.unstorable
        target[to + i] = byte
      }
    } else {
      for (let at = start; at < end; at++) if (bytes[at] === 0) return Outcome.unstorable
      bytes.copy(target, to, start, end)
    }
    out.length = to + length
    return Outcome.stored
  }
}
