import { INSTANT_BYTES, InstantCell, MORE_BYTES } from './instant-cell.ts'
import { LineChunks } from './line-chunks.ts'
import type { LineMaker } from './write-lines.ts'

const [QUOTE, LINE_END] = Buffer.from('"\n') as Iterable<number> as number[]
/** `2026-03-03 10:00:00+00`, and what stands between it and the next one. */
const FEWEST_BYTES = 23

/** Passes CSV on as PostgreSQL writes it, all but the instants, wherever the pieces are cut. */
export class CsvLines implements LineMaker {
  readonly #chunks = new LineChunks()
  readonly #isInstant: readonly boolean[]
  readonly #delimiter: number
  readonly #cell = new InstantCell()
  #column = 0
  #isQuoted = false

  constructor(isInstant: readonly boolean[], delimiter: string) {
    this.#isInstant = isInstant
    this.#delimiter = delimiter.charCodeAt(0)
  }

  take(piece: Buffer): readonly Buffer[] {
    if (this.#isInstant.includes(true)) this.#rewrite(piece)
    else this.#chunks.put(piece)
    return this.#chunks.takeFull()
  }

  rest(): Buffer {
    return this.#chunks.takeRest()
  }

  #rewrite(piece: Buffer): void {
    // Asked once: in a loop it costs more than the byte that is read.
    const { length } = piece
    const instants = Math.ceil(length / FEWEST_BYTES)
    const chunks = this.#chunks
    chunks.reserve(length + MORE_BYTES * instants + INSTANT_BYTES)
    const out = chunks.bytes
    const delimiter = this.#delimiter
    let used = chunks.used
    for (let at = 0; at < length; at++) {
      if (this.#isInstant[this.#column] === true) {
        const from = at
        while (at < length && piece[at] !== delimiter && piece[at] !== LINE_END) at++
        used = this.#cell.put(out, used, piece, from, at, at < length)
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
}
