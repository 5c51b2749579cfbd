import { CellKind } from '../core/batch.ts'
import { isNullText, isWellKnownNull } from '../cells/known-words.ts'
import { putInt32, type CopyBuffer } from './copy-buffer.ts'
import { type JsonVerdict, JsonValidator } from './json-validator.ts'
import { Outcome } from '../cells/outcome.ts'
import { writeNull, type ValueWriter } from './value-writer.ts'

/** The first byte of jsonb's binary form; the text follows. */
const JSONB_VERSION = 1

/** Checked in a few milliseconds. */
const PIECE_BYTES = 256 * 1024

export class JsonbWriter implements ValueWriter {
  readonly #given: boolean
  readonly #validator = new JsonValidator()
  /** Of the value that is checked before it is written. */
  #ahead: { verdict: JsonVerdict | null } | null = null

  constructor(given: boolean) {
    this.#given = given
  }

  judgeAhead(bytes: Buffer, start: number, end: number, kind: number): boolean {
    if (kind !== CellKind.json && !this.#given) return true
    if (this.#ahead === null) {
      this.#validator.begin(bytes, start, end)
      this.#ahead = { verdict: null }
    }
    this.#ahead.verdict ??= this.#validator.goOn(PIECE_BYTES)
    return this.#ahead.verdict !== null
  }

  forgetAhead(): void {
    this.#ahead = null
  }

  write(bytes: Buffer, start: number, end: number, kind: number, out: CopyBuffer): Outcome {
    // NULL in SQL, rather than null in JSON.
    if (isNullText(bytes, start, end)) return writeNull(out, Outcome.nullText)
    // Plain text is only read as JSON if the request says that it is.
    if (kind === CellKind.json || this.#given) {
      const verdict = this.#ahead?.verdict ?? this.#validator.check(bytes, start, end)
      if (verdict === 'storable') return this.#put(bytes, start, end, out)
      if (verdict === 'unstorable') return Outcome.unstorable
    }
    if (isWellKnownNull(bytes, start, end)) return writeNull(out, Outcome.wellKnown)
    return this.#given ? Outcome.invalid : Outcome.misfit
  }

  #put(bytes: Buffer, start: number, end: number, out: CopyBuffer): Outcome {
    const length = end - start
    out.reserve(length + 5)
    const at = putInt32(out.view, out.length, length + 1)
    out.bytes[at] = JSONB_VERSION
    bytes.copy(out.bytes, at + 1, start, end)
    out.length = at + 1 + length
    return Outcome.stored
  }
}
