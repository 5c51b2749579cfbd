import type { Dialect } from './dialect.ts'

const LF = 10
const CR = 13
const SPACE = 32
const TAB = 9

/** A few milliseconds. */
const TURN_BYTES = 2 * 1024 * 1024

/**
 * Finds the quote that the first record of `bytes` opens without closing it; null if there is
 * none. It splits fields like `splitRecord`, but goes through a record of many megabytes in turns,
 * so that others get theirs.
 */
export function* findOpenQuote(
  bytes: Buffer,
  dialect: Dialect & { readonly quote: string },
): Generator<void, number | null> {
  const quote = Buffer.from(dialect.quote)
  const [delimiter, escape] = [dialect.delimiter, dialect.escape].map(bytesOf)
  const isDoubled = dialect.escape === dialect.quote
  const isAt = (part: Buffer | undefined, at: number) =>
    part !== undefined &&
    bytes[at] === part[0] &&
    (part.length === 1 || bytes.subarray(at, at + part.length).equals(part))

  let openedAt: number | null = null
  let isFieldStart = true
  let turnEnds = TURN_BYTES
  for (let at = 0; at < bytes.length;) {
    if (at >= turnEnds) {
      yield
      turnEnds = at + TURN_BYTES
    }
    if (openedAt !== null) {
      const behind = at + (escape?.length ?? 0)
      if (isAt(escape, at) && (!isDoubled || isAt(quote, behind))) {
        at = behind + (isAt(quote, behind) ? quote.length : 1)
      } else if (isAt(quote, at)) {
        openedAt = null
        at += quote.length
      } else {
        at++
      }
    } else if (isFieldStart && isAt(quote, at)) {
      openedAt = at
      isFieldStart = false
      at += quote.length
    } else if (isAt(delimiter, at)) {
      isFieldStart = true
      at += delimiter!.length
    } else if (bytes[at] === LF || bytes[at] === CR) {
      return null
    } else {
      isFieldStart &&= dialect.isSpaced && (bytes[at] === SPACE || bytes[at] === TAB)
      at++
    }
  }
  return openedAt
}

const bytesOf = (part: string | null) => (part === null ? undefined : Buffer.from(part))
