import type { EngineLimits } from '../../core/limits.ts'
import { TEXT_FAULT_MESSAGES } from '../../json/text-faults.ts'
import { ByteSink } from '../byte-sink.ts'
import { HeaderIndex, NO_COLUMN } from './header-index.ts'
import type { Lexer } from './lexer.ts'
import { unescape } from './string-escapes.ts'
import { jsonSyntaxMessages } from './syntax-messages.ts'

/** Reads the keys of objects that usually have the same ones. */
export class KeyReader {
  readonly headers: HeaderIndex
  /** The position of the closing quote of the last key. */
  end = 0
  /** The last key, if it was new. */
  name = ''
  readonly #lexer: Lexer
  readonly #maximumBytes: number
  readonly #text = new ByteSink()

  constructor(lexer: Lexer, { cellBytes }: EngineLimits, headers = new HeaderIndex()) {
    this.#lexer = lexer
    this.#maximumBytes = cellBytes
    this.headers = headers
  }

  /** The column of the key at `from`, which follows that of `previous`; NO_COLUMN if it is new. */
  find(from: number, previous: number): number {
    const column = this.headers.predicted(this.#lexer.window.bytes, from, previous)
    if (column === NO_COLUMN) return this.#lookUp(from, previous)
    this.end = from + this.headers.keyLength(column)
    return column
  }

  #lookUp(from: number, previous: number): number {
    this.#lexer.field = null
    this.name = this.read(from)
    return this.headers.find(this.name, previous)
  }

  read(from: number): string {
    const lexer = this.#lexer
    const { bytes } = lexer.window
    const end = lexer.endOfString(from)
    this.end = end
    if (end - from > this.#maximumBytes) {
      lexer.exceeded('cellBytes', jsonSyntaxMessages.longKey({ most: this.#maximumBytes }))
    }
    if (!lexer.escaped) return bytes.toString('utf8', from, end)
    this.#text.length = 0
    const fault = unescape(bytes, from, end, this.#text)
    if (fault !== null) {
      lexer.refuse(from, jsonSyntaxMessages.inKey({ fault: TEXT_FAULT_MESSAGES[fault]() }))
    }
    return this.#text.bytes.toString('utf8', 0, this.#text.length)
  }
}
