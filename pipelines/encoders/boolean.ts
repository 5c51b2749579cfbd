import { skipSpace } from '../cells/white-space.ts'
import { type Batch, CellKind } from '../core/batch.ts'
import { booleanSign, booleanWord, NOT_A_WORD, isWellKnownNull } from '../cells/known-words.ts'
import { putInt32, type CopyBuffer } from './copy-buffer.ts'
import type { CellEncoder } from './encoder.ts'
import { Outcome } from '../cells/outcome.ts'
import { writeNull, type ValueWriter } from './value-writer.ts'

export function writeBoolean(out: CopyBuffer, value: number): Outcome {
  out.reserve(5)
  const at = putInt32(out.view, out.length, 1)
  out.bytes[at] = value
  out.length = at + 1
  return Outcome.stored
}

/** For boxes that are crossed or empty: a blank means false. */
export class BoxEncoder implements CellEncoder {
  readonly #filled: CellEncoder

  constructor(filled: CellEncoder) {
    this.#filled = filled
  }

  encode(batch: Batch, cell: number, out: CopyBuffer): Outcome {
    const end = batch.end[cell]!
    const isBlank = skipSpace(batch.bytes, batch.start[cell]!, end) >= end
    return isBlank ? writeBoolean(out, 0) : this.#filled.encode(batch, cell, out)
  }
}

export class BooleanWriter implements ValueWriter {
  readonly #given: boolean

  constructor(given: boolean) {
    this.#given = given
  }

  write(bytes: Buffer, start: number, end: number, kind: number, out: CopyBuffer): Outcome {
    const value = this.#read(bytes, start, end, kind)
    if (value === NOT_A_WORD) {
      if (isWellKnownNull(bytes, start, end)) return writeNull(out, Outcome.wellKnown)
      return this.#given ? Outcome.invalid : Outcome.misfit
    }
    return writeBoolean(out, value)
  }

  #read(bytes: Uint8Array, start: number, end: number, kind: number): number {
    if (kind > CellKind.boolean) return NOT_A_WORD
    const word = booleanWord(bytes, start, end)
    return word === NOT_A_WORD && this.#given ? booleanSign(bytes, start, end) : word
  }
}
