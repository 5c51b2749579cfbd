const LONG_BYTES = 4096
const NEAR_BYTES = 32

/**
 * Writes the value of a field that begins with a quote: its outer quotes are removed, doubled
 * quotes become one, and text after the closing quote is kept. Returns where the value ends.
 */
export function unquote(from: Buffer, start: number, end: number, to: Buffer, at: number): number {
  return end - start > LONG_BYTES
    ? unquoteLong(from, start, end, to, at)
    : unquoteShort(from, start, end, to, at)
}

function unquoteShort(from: Buffer, start: number, end: number, to: Buffer, at: number): number {
  const quote = from[start]!
  let read = start + 1
  let write = at
  while (read < end) {
    const byte = from[read++]!
    if (byte !== quote) {
      to[write++] = byte
    } else if (read < end && from[read] === quote) {
      to[write++] = quote
      read++
    } else {
      return write + from.copy(to, write, read, end)
    }
  }
  return write
}

/** The same in pieces, since a cell of many megabytes must not block everything else. */
function unquoteLong(from: Buffer, start: number, end: number, to: Buffer, at: number): number {
  const field = from.subarray(start, end)
  const quote = field[0]!
  let read = 1
  let write = at
  for (;;) {
    // Quotes may be far apart, or at every second byte, where a call for each takes too long.
    const near = Math.min(read + NEAR_BYTES, field.length)
    while (read < near && field[read] !== quote) to[write++] = field[read++]!
    if (read === near) {
      const found = field.indexOf(quote, read)
      // The field is never closed, so all of it is value.
      if (found === -1) return write + field.copy(to, write, read)
      write += field.copy(to, write, read, found)
      read = found
    }
    if (field[read + 1] !== quote) return write + field.copy(to, write, read + 1)
    to[write++] = quote
    read += 2
  }
}
