import { MORE_BYTES_OF_A_WORD, putWord } from './boolean-word.ts'
import { INSTANT_BYTES, InstantCell, MORE_BYTES } from './instant-cell.ts'
import { LineChunks } from './line-chunks.ts'
import type { LineMaker } from './write-lines.ts'

const [QUOTE, LINE_END] = Buffer.from('"\n') as Iterable<number> as number[]
/** `2026-03-03 10:00:00+00`, and what stands between it and the next one. */
const FEWEST_BYTES = 23
/** A letter, and what stands behind it. */
const FEWEST_BYTES_OF_A_WORD = 2

/** What is written anew of a cell as PostgreSQL writes it; `plain`: nothing. */
export type CsvForm = 'instant' | 'boolean' | 'plain'

/** Passes CSV on as PostgreSQL writes it, all but instants and booleans, wherever the pieces are cut. */
export class CsvLines implements LineMaker {
  readonly #chunks = new LineChunks()
  readonly #forms: readonly CsvForm[]
  readonly #delimiter: number
  readonly #cell = new InstantCell()
  #column = 0
  #isQuoted = false

  constructor(forms: readonly CsvForm[], delimiter: string) {
    this.#forms = forms
    this.#delimiter = delimiter.charCodeAt(0)
  }

  take(piece: Buffer): readonly Buffer[] {
    if (this.#forms.every((form) => form === 'plain')) this.#chunks.put(piece)
    else this.#rewrite(piece)
    return this.#chunks.takeFull()
  }

  rest(): Buffer {
    return this.#chunks.takeRest()
  }

  #rewrite(piece: Buffer): void {
    // Asked once: in a loop it costs more than the byte that is read.
    const { length } = piece
    const chunks = this.#chunks
    chunks.reserve(length + this.#mostMore(length) + INSTANT_BYTES)
    const out = chunks.bytes
    const delimiter = this.#delimiter
    const forms = this.#forms
    let used = chunks.used
    for (let at = 0; at < length; at++) {
      const form = forms[this.#column]
      if (form === 'instant') {
        const from = at
        while (at < length && piece[at] !== delimiter && piece[at] !== LINE_END) at++
        used = this.#cell.put(out, used, piece, from, at, at < length)
        if (at === length) break
      } else if (form === 'boolean') {
        for (; at < length && piece[at] !== delimiter && piece[at] !== LINE_END; at++) {
          used = putWord(out, used, piece[at]!)
        }
        if (at === length) break
      }
      let isQuoted = this.#isQuoted
      let byte = piece[at]!
      for (; isQuoted || (byte !== delimiter && byte !== LINE_END); byte = piece[at]!) {
        if (byte === QUOTE) isQuoted = !isQuoted
        out[used++] = byte
        if (++at === length) break
      }
      this.#isQuoted = isQuoted
      if (at === length) break
      out[used++] = byte
      this.#column = byte === delimiter ? this.#column + 1 : 0
    }
    chunks.used = used
  }

  /** By how many bytes so many can grow. */
  #mostMore(bytes: number): number {
    const instants = MORE_BYTES * Math.ceil(bytes / FEWEST_BYTES)
    if (!this.#forms.includes('boolean')) return instants
    return instants + MORE_BYTES_OF_A_WORD * Math.ceil(bytes / FEWEST_BYTES_OF_A_WORD)
  }
}
