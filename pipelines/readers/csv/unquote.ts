/**
 * Writes the value of a field that begins with a quote, as it stands in the file: quotes around it
 * go, doubled quotes become one, text after the closing quote is kept as it is. Returns where the
 * value ends.
 */
export function unquote(from: Buffer, start: number, end: number, to: Buffer, at: number): number {
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
