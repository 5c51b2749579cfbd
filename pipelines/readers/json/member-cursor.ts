import type { EngineLimits } from '../../core/limits.ts'
import { CLOSE_OBJECT, COLON, COMMA, OPEN_OBJECT, QUOTE } from './bytes.ts'
import { NO_COLUMN } from './header-index.ts'
import { KeyReader } from './key-reader.ts'
import type { Lexer } from './lexer.ts'
import { jsonSyntaxMessages } from './syntax-messages.ts'

/** Further keys are read but not remembered, since they may be different every time. */
const MOST_REMEMBERED = 1000

/**
 * Goes through objects member by member and leaves the values to the caller: `for (let more =
 * cursor.open(at); more; more = cursor.next(end))`.
 */
export class MemberCursor {
  key = ''
  /** Where the value of `key` begins, or the position after the object once it has ended. */
  at = 0
  readonly #lexer: Lexer
  readonly #keys: KeyReader
  #previous = NO_COLUMN

  constructor(lexer: Lexer, limits: EngineLimits) {
    this.#lexer = lexer
    this.#keys = new KeyReader(lexer, limits)
  }

  /** False if the object has no members. */
  open(from: number): boolean {
    const lexer = this.#lexer
    const { bytes } = lexer.window
    if (bytes[from] !== OPEN_OBJECT) lexer.unexpected(from, jsonSyntaxMessages.object())
    this.#previous = NO_COLUMN
    const p = lexer.skipSpace(from + 1)
    return bytes[p] === CLOSE_OBJECT ? this.#close(p) : this.#member(p)
  }

  /** `valueEnd` is where the value of the last key ends. */
  next(valueEnd: number): boolean {
    const lexer = this.#lexer
    const { bytes } = lexer.window
    const p = lexer.skipSpace(valueEnd)
    if (bytes[p] === CLOSE_OBJECT) return this.#close(p)
    if (bytes[p] !== COMMA) lexer.unexpected(p, jsonSyntaxMessages.commaOr({ sign: '}' }))
    return this.#member(lexer.skipSpace(p + 1))
  }

  #close(at: number): false {
    this.at = at + 1
    return false
  }

  #member(from: number): true {
    const lexer = this.#lexer
    const { bytes } = lexer.window
    if (bytes[from] !== QUOTE) lexer.unexpected(from, jsonSyntaxMessages.key())
    this.#readKey(from + 1)
    const colon = lexer.skipSpace(this.#keys.end + 1)
    if (bytes[colon] !== COLON) lexer.unexpected(colon, jsonSyntaxMessages.sign({ sign: ':' }))
    this.at = lexer.skipSpace(colon + 1)
    return true
  }

  #readKey(from: number): void {
    const { headers } = this.#keys
    const column = this.#keys.find(from, this.#previous)
    if (column !== NO_COLUMN) {
      this.key = headers.names[column]!
      this.#previous = column
      return
    }
    this.key = this.#keys.name
    if (headers.names.length < MOST_REMEMBERED) {
      this.#previous = headers.add(this.key, this.#previous)
    }
  }
}
