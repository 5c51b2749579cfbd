import { MORE_BYTES_OF_A_WORD, putWord } from './boolean-word.ts'
import { INSTANT_BYTES, InstantCell, MORE_BYTES } from './instant-cell.ts'
import { LineChunks } from './line-chunks.ts'
import type { LineMaker } from './write-lines.ts'

const LINE_END = 10
/** Kinds of bytes. */
const ORDINARY = 0
const CELL_END = 1
const QUOTE = 2

/** The length of `2026-03-03 10:00:00+00` and the separator after it. */
const FEWEST_BYTES = 23
/** A letter and the separator after it. */
const FEWEST_BYTES_OF_A_WORD = 2

/** What has to be rewritten in a cell that PostgreSQL wrote; `plain`: nothing. */
export type CsvForm = 'instant' | 'boolean' | 'plain'

/**
 * Passes on CSV as PostgreSQL writes it, rewriting only instants and booleans, wherever the pieces
 * are cut.
 */
export class CsvLines implements LineMaker {
  readonly #chunks = new LineChunks()
  readonly #forms: readonly CsvForm[]
  /** The kind of each of the 256 byte values. */
  readonly #kinds = new Uint8Array(256)
  readonly #cell = new InstantCell()
  #column = 0
  #isQuoted = false

  constructor(forms: readonly CsvForm[], delimiter: string) {
    this.#forms = forms
    this.#kinds[delimiter.charCodeAt(0)] = CELL_END
    this.#kinds[LINE_END] = CELL_END
    this.#kinds['"'.charCodeAt(0)] = QUOTE
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
    // Read once: inside the loop it costs more than reading a byte.
    const { length } = piece
    const chunks = this.#chunks
    chunks.reserve(length + this.#mostMore(length) + INSTANT_BYTES)
    const out = chunks.bytes
    const forms = this.#forms
    const kinds = this.#kinds
    let column = this.#column
    let isQuoted = this.#isQuoted
    let used = chunks.used
    let at = 0
    while (at < length) {
      if (forms[column] === 'instant') {
        const from = at
        while (at < length && kinds[piece[at]!] !== CELL_END) at++
        used = this.#cell.put(out, used, piece, from, at, at < length)
      } else if (forms[column] === 'boolean') {
        for (; at < length && kinds[piece[at]!] !== CELL_END; at++) {
          used = putWord(out, used, piece[at]!)
        }
      }
      // The end of this cell, and all following cells that are passed on unchanged.
      while (at < length) {
        const byte = piece[at++]!
        out[used++] = byte
        const kind = kinds[byte]!
        if (kind === ORDINARY) continue
        if (kind === QUOTE) isQuoted = !isQuoted
        else if (!isQuoted) {
          column = byte === LINE_END ? 0 : column + 1
          if (forms[column] !== 'plain') break
        }
      }
    }
    this.#column = column
    this.#isQuoted = isQuoted
    chunks.used = used
  }

  /** By how many bytes this many bytes can grow. */
  #mostMore(bytes: number): number {
    const instants = MORE_BYTES * Math.ceil(bytes / FEWEST_BYTES)
    if (!this.#forms.includes('boolean')) return instants
    return instants + MORE_BYTES_OF_A_WORD * Math.ceil(bytes / FEWEST_BYTES_OF_A_WORD)
  }
}
