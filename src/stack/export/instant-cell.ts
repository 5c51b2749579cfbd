/** Longer than the instant of any year. */
const MOST_BYTES = 64
/** By how many bytes an instant grows when it is rewritten, at most. */
export const MORE_BYTES = 2
export const INSTANT_BYTES = MOST_BYTES + MORE_BYTES

const MILLISECOND_DIGITS = 3
const UTC = '+00'.length
const [BLANK, POINT, PLUS, ZERO, T, Z] = Buffer.from(' .+0TZ') as Iterable<number> as number[]

/** An instant as PostgreSQL writes it, `2026-03-03 10:00:00.12+00`, in one piece or in several. */
export class InstantCell {
  readonly #held = Buffer.alloc(MOST_BYTES)
  #length = 0

  /**
   * Writes it as `2026-03-03T10:00:00.120Z` once its end has arrived; returns the position after
   * what was written.
   */
  put(out: Buffer, used: number, bytes: Buffer, from: number, to: number, isEnd: boolean): number {
    if (isEnd && this.#length === 0) return putInstant(out, used, bytes, from, to)
    if (this.#length + to - from > MOST_BYTES) throw new RangeError('No instant is so long')
    this.#length += bytes.copy(this.#held, this.#length, from, to)
    if (!isEnd) return used
    const length = this.#length
    this.#length = 0
    return putInstant(out, used, this.#held, 0, length)
  }
}

function putInstant(out: Buffer, start: number, bytes: Buffer, from: number, to: number): number {
  const end = to - UTC
  // A time before Christ, or one that is not a time, is left unchanged.
  const isInUtc = end > from && bytes[end] === PLUS && bytes[end + 1] === ZERO
  if (!isInUtc || bytes[end + 2] !== ZERO) return start + bytes.copy(out, start, from, to)
  let used = start
  let at = from
  for (; at < end && bytes[at] !== POINT; at++) {
    const byte = bytes[at]!
    out[used++] = byte === BLANK ? T! : byte
  }
  out[used++] = POINT!
  for (let digit = 1; digit <= MILLISECOND_DIGITS; digit++) {
    out[used++] = at + digit < end ? bytes[at + digit]! : ZERO!
  }
  out[used++] = Z!
  return used
}
