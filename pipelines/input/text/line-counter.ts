const LF = 10
const CR = 13

interface LineCounter {
  pass(bytes: Buffer): void
  /** The line, counted from 1, of a position in bytes that have not been counted yet. */
  lineAt(bytes: Buffer, position: number): number
}

/** Counts line feeds, or carriage returns in a file that has had no line feed so far. */
export function createLineCounter(): LineCounter {
  let feeds = 0
  let returns = 0
  const count = (bytes: Buffer) => {
    feeds += occurrences(bytes, LF)
    if (feeds === 0) returns += occurrences(bytes, CR)
  }
  return {
    pass: count,
    lineAt(bytes, position) {
      count(bytes.subarray(0, position))
      return 1 + (feeds > 0 ? feeds : returns)
    },
  }
}

function occurrences(bytes: Buffer, byte: number): number {
  let count = 0
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) count++
  return count
}
