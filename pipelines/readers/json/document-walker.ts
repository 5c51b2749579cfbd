import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './bytes.ts'
import type { Lexer } from './lexer.ts'
import { jsonSyntaxMessages } from './syntax-messages.ts'

export type ValueEvent = 'object' | 'array' | 'scalar'
export type DocumentEvent = ValueEvent | 'key' | 'close' | 'end' | 'another'

interface Container {
  readonly isArray: boolean
  /** The key of the last member, or the index of the last element. */
  token: string
  items: number
}

/**
 * Walks through a document event by event, whatever its size: it only keeps the open containers.
 * An event is consumed completely or not at all, so that a walk can continue after
 * `MoreInputNeeded`. After the document comes `end` if the input is over, or `another` if
 * something follows.
 */
export class DocumentWalker {
  readonly #lexer: Lexer
  readonly #maximumDepth: number
  readonly #open: Container[] = []
  /** The first byte of the last value. */
  firstByte = 0
  #expects: 'value' | 'key-or-close' | 'element-or-close' | 'more' = 'value'

  constructor(lexer: Lexer, maximumDepth: number) {
    this.#lexer = lexer
    this.#maximumDepth = maximumDepth
  }

  /** How many containers are open after the last event. */
  get depth(): number {
    return this.#open.length
  }

  /** The path from the root to the last value. */
  get path(): string[] {
    return this.#open.map((container) => container.token)
  }

  /** The last token of the path at `depth`, counted from 1. */
  token(depth: number): string {
    return this.#open[depth - 1]!.token
  }

  /** How many elements of the innermost container were met so far. */
  get items(): number {
    return this.#open.at(-1)?.items ?? 0
  }

  next(): DocumentEvent {
    const { window } = this.#lexer
    if (window.pos > this.#lexer.turnEnds) this.#lexer.endTurn()
    this.#lexer.line = window.line
    const p = this.#lexer.skipSpace(window.pos)
    const event = this.#at(p)
    window.line = this.#lexer.line
    return event
  }

  /** To be called when the row parser has read the elements of the innermost array, up to its bracket. */
  elementsRead(): void {
    this.#expects = 'more'
  }

  #at(from: number): DocumentEvent {
    const lexer = this.#lexer
    const byte = lexer.window.bytes[from]
    const container = this.#open.at(-1)
    if (container === undefined) {
      return this.#expects === 'value' ? this.#value(from, 0) : this.#afterDocument(from)
    }
    const closing = container.isArray ? CLOSE_ARRAY : CLOSE_OBJECT
    if (byte === closing && this.#expects !== 'value') return this.#close(from)
    if (this.#expects === 'more') {
      if (byte !== COMMA)
        lexer.unexpected(
          from,
          container.isArray
            ? jsonSyntaxMessages.commaOr({ sign: ']' })
            : jsonSyntaxMessages.commaOr({ sign: '}' }),
        )
      const next = lexer.skipSpace(from + 1)
      return container.isArray ? this.#element(next, container) : this.#key(next, container)
    }
    if (this.#expects === 'value') return this.#value(from, this.#open.length)
    return container.isArray ? this.#element(from, container) : this.#key(from, container)
  }

  #element(from: number, container: Container): DocumentEvent {
    const depth = this.#open.length
    const index = String(container.items)
    const event = this.#value(from, depth)
    container.token = index
    container.items += 1
    return event
  }

  #key(from: number, container: Container): DocumentEvent {
    const lexer = this.#lexer
    const { window } = lexer
    if (window.bytes[from] !== QUOTE) lexer.unexpected(from, jsonSyntaxMessages.key())
    const end = lexer.endOfString(from + 1)
    const { escaped } = lexer
    const colon = lexer.skipSpace(end + 1)
    if (window.bytes[colon] !== COLON)
      lexer.unexpected(colon, jsonSyntaxMessages.sign({ sign: ':' }))
    container.token = escaped
      ? (JSON.parse(window.bytes.toString('utf8', from, end + 1)) as string)
      : window.bytes.toString('utf8', from + 1, end)
    container.items += 1
    window.pos = colon + 1
    this.#expects = 'value'
    return 'key'
  }

  #value(from: number, depth: number): DocumentEvent {
    const lexer = this.#lexer
    const { window } = lexer
    const byte = window.bytes[from]!
    this.firstByte = byte
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (depth >= this.#maximumDepth) {
        lexer.exceeded('jsonDepth', jsonSyntaxMessages.nested({ most: this.#maximumDepth }))
      }
      const isArray = byte === OPEN_ARRAY
      this.#open.push({ isArray, token: '', items: 0 })
      this.#expects = isArray ? 'element-or-close' : 'key-or-close'
      window.pos = from + 1
      return isArray ? 'array' : 'object'
    }
    window.pos = lexer.endOfScalar(from)
    this.#expects = 'more'
    return 'scalar'
  }

  #close(at: number): DocumentEvent {
    this.#open.pop()
    this.#expects = 'more'
    this.#lexer.window.pos = at + 1
    return 'close'
  }

  #afterDocument(from: number): DocumentEvent {
    const { window } = this.#lexer
    if (from >= window.limit && !window.ended)
      this.#lexer.unexpected(from, jsonSyntaxMessages.end())
    window.pos = from
    return from < window.limit ? 'another' : 'end'
  }
}
