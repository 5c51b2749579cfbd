import { EngineError } from '../../core/errors.ts'
import type { Message } from '../../core/message.ts'
import { placeMessages, placeOfRow } from '../../core/place-messages.ts'
import { shownName } from '../../core/cut-text.ts'
import {
  BACKSLASH,
  CARRIAGE_RETURN,
  LETTER_E,
  LETTER_e,
  LETTER_f,
  LETTER_n,
  LETTER_t,
  LETTER_u,
  LINE_FEED,
  MINUS,
  NINE,
  PLUS,
  POINT,
  QUOTE,
  SLASH,
  SPACE,
  TAB,
  ZERO,
  HEX_DIGITS,
} from './bytes.ts'
import type { ByteWindow } from './byte-window.ts'
import { jsonSyntaxMessages } from './syntax-messages.ts'

/** Not an error: the window ends inside a token. Thrown at most once per window, so it is cheap. */
export class MoreInputNeeded extends Error {
  override readonly name = 'MoreInputNeeded'
}

/** Not an error either: others are to have their turn before more is read. */
export class TurnOver extends Error {
  override readonly name = 'TurnOver'
}

/** How much of rows is read in a turn; what is written again counts as well. */
export const TURN_BYTES = 512 * 1024

const LITERALS: Readonly<Record<number, string>> = {
  [LETTER_t]: 'true',
  [LETTER_f]: 'false',
  [LETTER_n]: 'null',
}

/** 1 for bytes that need no escape inside a string. */
const PLAIN = new Uint8Array(256).map((_, byte) =>
  byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
)

/** 1 for what may follow a backslash, except `u`. */
const SIMPLE_ESCAPES = new Uint8Array(256).map((_, byte) =>
  '"\\/bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0,
)

const NOT_CUT = -1
/** `\uXXXX` */
const LONGEST_ESCAPE = 6

/**
 * Finds where tokens end, strictly by RFC 8259. Positions are passed and returned as plain
 * numbers; the lexer keeps only the line. If the window ends first it throws `MoreInputNeeded`,
 * and the caller starts again from its last known position once there is more.
 */
export class Lexer {
  readonly window: ByteWindow
  /** The line of the position that `skipSpace` last returned. */
  line = 1
  /** The data row that is being read, for messages; 0 outside rows. */
  row = 0
  /** The key of the cell that is being read, for messages; null outside cells. */
  field: string | null = null
  /** Whether the last string contains an escape. */
  escaped = false
  /** Whether the last number has an exponent, or a minus that may precede a zero. */
  unusual = false
  /** Where in the window others are to have their turn: for those who can go on in the middle of a row. */
  turnEnds = Infinity
  readonly #more = new MoreInputNeeded()
  readonly #turnOver = new TurnOver()
  /** The last string that the window ended in: where it begins in the text, and where it goes on. */
  #cutFrom = NOT_CUT
  #cutTo = 0
  #cutEscaped = false
  /** The last field that was named, cached: one may be wrong in a million rows, and its name may be long. */
  #named = { field: '', shown: '' }
  readonly #hasLines: boolean

  /** Without lines, a place is given by row and byte only: data from a network has no lines to look at. */
  constructor(window: ByteWindow, { hasLines = true } = {}) {
    this.window = window
    this.#hasLines = hasLines
  }

  skipSpace(from: number): number {
    const { bytes } = this.window
    let p = from
    for (;;) {
      const byte = bytes[p]!
      if (byte === LINE_FEED) this.line += 1
      else if (byte !== SPACE && byte !== CARRIAGE_RETURN && byte !== TAB) return p
      p += 1
    }
  }

  /** `from` follows the opening quote; returns the position of the closing one. */
  endOfString(from: number): number {
    const { bytes } = this.window
    this.escaped = false
    let p = this.#cutFrom === NOT_CUT ? from : this.#afterCut(from)
    for (;;) {
      while (PLAIN[bytes[p]!] === 1) p += 1
      if (bytes[p] === QUOTE) return p
      if (p + LONGEST_ESCAPE > this.window.limit) this.#rememberCut(from, p)
      if (bytes[p] !== BACKSLASH) this.unexpected(p, jsonSyntaxMessages.endOfString())
      this.escaped = true
      p = this.#endOfEscape(p + 1)
    }
  }

  /** A string of many megabytes is then not read from its beginning again each time more has come. */
  #rememberCut(from: number, to: number): void {
    const { offset, ended } = this.window
    if (ended) return
    this.#cutFrom = offset + from
    this.#cutTo = offset + to
    this.#cutEscaped = this.escaped
  }

  /** Where in the text the string lies that the window ended in, as far as it was read; null: in none with escapes. */
  get cutString(): { readonly from: number; readonly to: number } | null {
    const isCut = this.#cutFrom !== NOT_CUT && this.#cutEscaped
    return isCut ? { from: this.#cutFrom, to: this.#cutTo } : null
  }

  /** How much of what is there is read again once more has come, where reading goes on at `at`. */
  readAgainFrom(at: number): number {
    const { limit, offset } = this.window
    return (this.#cutFrom === NOT_CUT ? limit : this.#cutFrom - offset) - at
  }

  beginTurn(at: number, bytes: number): void {
    this.turnEnds = at + bytes
  }

  endTurn(): never {
    throw this.#turnOver
  }

  #afterCut(from: number): number {
    const { offset } = this.window
    if (this.#cutFrom !== offset + from) return from
    this.#cutFrom = NOT_CUT
    this.escaped = this.#cutEscaped
    return this.#cutTo - offset
  }

  #endOfEscape(from: number): number {
    const { bytes } = this.window
    if (SIMPLE_ESCAPES[bytes[from]!] === 1) return from + 1
    if (bytes[from] !== LETTER_u) this.unexpected(from, jsonSyntaxMessages.escape())
    const digits =
      HEX_DIGITS[bytes[from + 1]!]! |
      HEX_DIGITS[bytes[from + 2]!]! |
      HEX_DIGITS[bytes[from + 3]!]! |
      HEX_DIGITS[bytes[from + 4]!]!
    if (digits >= 0) return from + 5
    for (let p = from + 1; p <= from + 4; p += 1) {
      if (HEX_DIGITS[bytes[p]!]! < 0) this.unexpected(p, jsonSyntaxMessages.hexadecimals())
    }
    return from + 5
  }

  endOfNumber(from: number): number {
    const { bytes } = this.window
    let p = from
    this.unusual = bytes[p] === MINUS
    if (this.unusual) p += 1
    if (bytes[p] === ZERO) p += 1
    else p = this.#endOfDigits(p)
    // A negative number that does not begin with a zero is canonical, too.
    if (this.unusual && bytes[from + 1] !== ZERO) this.unusual = false
    if (bytes[p] === POINT) p = this.#endOfDigits(p + 1)
    if (bytes[p] === LETTER_e || bytes[p] === LETTER_E) {
      this.unusual = true
      p += 1
      if (bytes[p] === PLUS || bytes[p] === MINUS) p += 1
      p = this.#endOfDigits(p)
    }
    if (p >= this.window.limit && !this.window.ended) throw this.#more
    return p
  }

  #endOfDigits(from: number): number {
    const { bytes } = this.window
    let p = from
    while (bytes[p]! >= ZERO && bytes[p]! <= NINE) p += 1
    if (p === from) this.unexpected(p, jsonSyntaxMessages.digit())
    return p
  }

  /** `true`, `false` or `null`; anything else is not a value. */
  endOfLiteral(from: number): number {
    const { bytes } = this.window
    const literal = LITERALS[bytes[from]!]
    if (literal === undefined) this.unexpected(from, jsonSyntaxMessages.value())
    for (let i = 1; i < literal.length; i += 1) {
      if (bytes[from + i] !== literal.charCodeAt(i)) {
        this.unexpected(from + i, jsonSyntaxMessages.sign({ sign: literal }))
      }
    }
    return from + literal.length
  }

  endOfScalar(from: number): number {
    const byte = this.window.bytes[from]!
    if (byte === QUOTE) return this.endOfString(from + 1) + 1
    return startsNumber(byte) ? this.endOfNumber(from) : this.endOfLiteral(from)
  }

  /** What ends at `at` took long to read: it is not to be read again for want of what follows it. */
  requireNext(at: number): void {
    if (this.window.bytes[at]! > SPACE) return
    const { line } = this
    const next = this.skipSpace(at)
    this.line = line
    if (next >= this.window.limit && !this.window.ended) throw this.#more
  }

  /** Either the window or the input ends at `at`, or something unexpected is there. */
  unexpected(at: number, wanted: Message): never {
    if (at >= this.window.limit && !this.window.ended) throw this.#more
    const found = at >= this.window.limit ? jsonSyntaxMessages.endOfInput() : this.#shown(at)
    const fault = jsonSyntaxMessages.expected({ wanted, found })
    const isComment =
      this.window.bytes[at] === SLASH && wanted.code !== jsonSyntaxMessages.escape.code
    this.refuse(at, isComment ? jsonSyntaxMessages.noComments({ fault }) : fault)
  }

  refuse(at: number, reason: Message): never {
    throw this.refusal(at, reason)
  }

  refusal(at: number, reason: Message): EngineError {
    const offset = this.window.offset + at
    const place = this.#where()
    return new EngineError(jsonSyntaxMessages.malformed({ place, offset, reason }), {
      kind: 'structure',
      offset,
      ...this.#place(),
    })
  }

  /** A limit was reached in the current row or document. */
  exceeded(limit: string, reason: Message): never {
    const [place, fault] = [this.#subject(), this.inField(reason)]
    throw new EngineError(placeMessages.fault({ place, fault }), {
      kind: 'limit',
      limit,
      ...this.#place(),
    })
  }

  inField(fault: Message): Message {
    const { field } = this
    if (field === null) return fault
    if (this.#named.field !== field) this.#named = { field, shown: shownName(field) }
    return jsonSyntaxMessages.inField({ field: this.#named.shown, fault })
  }

  #where(): Message {
    const { line, row } = this
    if (this.#hasLines) {
      return row > 0
        ? jsonSyntaxMessages.onLineOfRow({ line, row })
        : jsonSyntaxMessages.onLine({ line })
    }
    return row > 0 ? jsonSyntaxMessages.inRow({ row }) : jsonSyntaxMessages.outsideRows()
  }

  #subject(): Message {
    const { line, row } = this
    if (row > 0) return placeOfRow(this.#hasLines ? { row, line } : { row })
    return this.#hasLines ? jsonSyntaxMessages.line({ line }) : jsonSyntaxMessages.besideRows()
  }

  #place(): { row?: number; line?: number } {
    return {
      ...(this.#hasLines && { line: this.line }),
      ...(this.row > 0 && { row: this.row }),
    }
  }

  #shown(at: number): Message {
    const { bytes, limit } = this.window
    const byte = bytes[at]!
    if (byte < SPACE || byte === 0x7f) {
      const code = `U+${byte.toString(16).toUpperCase().padStart(4, '0')}`
      return jsonSyntaxMessages.control({ code })
    }
    const [character = ''] = bytes.toString('utf8', at, Math.min(at + 4, limit))
    return jsonSyntaxMessages.sign({ sign: character })
  }
}

export function startsNumber(byte: number): boolean {
  return (byte >= ZERO && byte <= NINE) || byte === MINUS
}
