import type { ByteFlow } from '../../core/input.ts'
import { TextInput } from '../../input/text/open-text.ts'

const QUOTE = 0x22
const LF = 10
const CR = 13

/** Before a line; in its quotes; behind a quote in there, which may be doubled; in the rest of it. */
type Place = 'line' | 'quotes' | 'quote' | 'rest'

/**
 * A text whose lines are quoted as a whole, without these quotes. No line break goes, so lines
 * keep their numbers.
 */
export class UnquotedText extends TextInput {
  readonly #unquoter: LineUnquoter

  private constructor(quoted: TextInput, head: Buffer, unquoter: LineUnquoter) {
    const rest: ByteFlow = {
      async next() {
        for (;;) {
          const bytes = await quoted.next()
          const unquoted = bytes === null ? null : unquoter.unquote(bytes)
          if (unquoted === null || unquoted.length > 0) return unquoted
        }
      },
      close: () => quoted.close(),
    }
    super(head, quoted.isWhole, rest, quoted.encoding, {
      decode: (bytes) => (bytes === null || bytes.length === 0 ? [] : [bytes]),
      get misjudged() {
        return quoted.misjudged?.encoding ?? null
      },
    })
    this.#unquoter = unquoter
  }

  /** Nothing may have been taken from it yet: what it returns first is its head. */
  static async of(quoted: TextInput): Promise<UnquotedText> {
    const unquoter = new LineUnquoter()
    return new UnquotedText(quoted, unquoter.unquote((await quoted.next())!), unquoter)
  }

  /** How many lines were unquoted so far. */
  get lines(): number {
    return this.#unquoter.count
  }
}

class LineUnquoter {
  count = 0
  #place: Place = 'line'

  unquote(bytes: Buffer): Buffer {
    const out = Buffer.allocUnsafe(bytes.length)
    let at = 0
    let place = this.#place
    for (const byte of bytes) {
      if (place === 'quotes' && byte === QUOTE) {
        place = 'quote'
        continue
      }
      if (place === 'line' && byte === QUOTE) {
        this.count++
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
