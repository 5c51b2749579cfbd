import type { ByteFlow } from '../../core/input.ts'
import { TextInput } from '../../input/text/open-text.ts'

const QUOTE = 0x22
const APOSTROPHE = 0x27
const HASH = 0x23
const PERCENT = 0x25
const SPACE = 0x20
const TAB = 9
const LF = 10
const CR = 13

/** Rewrites a text piece by piece. No line break goes or comes, so lines keep their numbers. */
interface Rewriter {
  /** How many lines were unquoted so far. */
  readonly linesUnquoted: number
  rewrite(bytes: Buffer): Buffer
}

/** A text as something in front of its reader has rewritten it. */
export class RewrittenText extends TextInput {
  readonly #rewriter: Rewriter

  private constructor(sent: TextInput, head: Buffer, rewriter: Rewriter) {
    const rest: ByteFlow = {
      async next() {
        for (;;) {
          const bytes = await sent.next()
          const rewritten = bytes === null ? null : rewriter.rewrite(bytes)
          if (rewritten === null || rewritten.length > 0) return rewritten
        }
      },
      close: () => sent.close(),
    }
    super(head, sent.isWhole, rest, sent.encoding, {
      decode: (bytes) => (bytes === null || bytes.length === 0 ? [] : [bytes]),
      get misjudged() {
        return sent.misjudged?.encoding ?? null
      },
    })
    this.#rewriter = rewriter
  }

  get linesUnquoted(): number {
    return this.#rewriter.linesUnquoted
  }

  /** Nothing may have been taken from it yet: what it returns first is its head. */
  static async of(sent: TextInput, rewriter: Rewriter): Promise<RewrittenText> {
    return new RewrittenText(sent, rewriter.rewrite((await sent.next())!), rewriter)
  }
}

/** Before a line; in its quotes; behind a quote in there, which may be doubled; in the rest of it. */
type PlaceOfQuote = 'line' | 'quotes' | 'quote' | 'rest'

/** Takes the quotes from lines that are quoted as a whole. */
export class LineUnquoter implements Rewriter {
  linesUnquoted = 0
  #place: PlaceOfQuote = 'line'

  rewrite(bytes: Buffer): Buffer {
    const out = Buffer.allocUnsafe(bytes.length)
    let at = 0
    let place = this.#place
    for (const byte of bytes) {
      if (place === 'quotes' && byte === QUOTE) {
        place = 'quote'
        continue
      }
      if (place === 'line' && byte === QUOTE) {
        this.linesUnquoted++
        place = 'quotes'
        continue
      }
      out[at++] = byte
      if (place === 'quotes' || (place === 'quote' && byte === QUOTE)) place = 'quotes'
      else place = byte === LF || byte === CR ? 'line' : 'rest'
    }
    this.#place = place
    return out.subarray(0, at)
  }
}

/** Before the first field; behind one, in blanks; in a bare field; in a quoted one; behind a sign of comments. */
type PlaceInLine = 'begin' | 'blanks' | 'bare' | 'quoted' | 'sign'

/**
 * Leaves one blank where several divide two fields, and none at the ends of a line. A sign of comments
 * that stands alone before names goes; in titles, which are above the line `from` (counted from 0), a
 * quote opens nothing.
 */
export class BlankSqueezer implements Rewriter {
  readonly linesUnquoted = 0
  readonly #from: number
  #line = 0
  #place: PlaceInLine = 'begin'
  #sign = 0
  #isAfterReturn = false

  constructor(from: number) {
    this.#from = from
  }

  rewrite(bytes: Buffer): Buffer {
    // A sign that turns out to be none comes behind the bytes of an earlier piece.
    const out = Buffer.allocUnsafe(2 * bytes.length + 1)
    let at = 0
    for (const byte of bytes) {
      const place = this.#place
      if (byte === LF || byte === CR) {
        if (place === 'sign') out[at++] = this.#sign
        out[at++] = byte
        this.#endLine(byte)
      } else if (this.#line < this.#from) {
        this.#isAfterReturn = false
        out[at++] = byte === QUOTE ? APOSTROPHE : byte
      } else if (place === 'quoted') {
        out[at++] = byte
        if (byte === QUOTE) this.#place = 'bare'
      } else if (byte === SPACE || byte === TAB) {
        if (place === 'bare') this.#place = 'blanks'
        else if (place === 'sign') this.#place = 'begin'
      } else if (place === 'begin' && (byte === HASH || byte === PERCENT)) {
        this.#sign = byte
        this.#place = 'sign'
      } else {
        if (place === 'blanks') out[at++] = SPACE
        if (place === 'sign') out[at++] = this.#sign
        out[at++] = byte
        const isOpening = byte === QUOTE && (place === 'begin' || place === 'blanks')
        this.#place = isOpening ? 'quoted' : 'bare'
      }
    }
    return out.subarray(0, at)
  }

  #endLine(byte: number): void {
    if (byte === CR || !this.#isAfterReturn) this.#line++
    this.#isAfterReturn = byte === CR
    this.#place = 'begin'
  }
}
