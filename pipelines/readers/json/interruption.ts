import type { Lexer } from './lexer.ts'

const NOWHERE = -1

/** Before the member, or the element, that is not over. Positions are those in the window. */
interface Progress {
  readonly at: number
  readonly line: number
  /** How many came before it, */
  readonly count: number
  /** and what has to be known of them. */
  readonly before: number
}

/** How far an object or an array was read when the window ended in it, or others had their turn. */
export class Interruption {
  count = 0
  before = 0
  /** In the text, as is `at`. */
  #from = NOWHERE
  #at = 0
  #line = 0

  /** Where what begins at `from` goes on; null: at its beginning. */
  goesOnAt(from: number, lexer: Lexer): number | null {
    const { offset } = lexer.window
    if (this.#from !== offset + from) return null
    lexer.line = this.#line
    // The window may have ended before it began.
    return lexer.skipSpace(this.#at - offset)
  }

  keep(from: number, { at, line, count, before }: Progress, { window }: Lexer): void {
    this.#from = window.offset + from
    this.#at = window.offset + at
    this.#line = line
    this.count = count
    this.before = before
  }

  forget(): void {
    this.#from = NOWHERE
  }
}
