const UNDERSCORE = 0x5f
const ESCAPE_BYTES = 7

/**
 * Excel writes what XML cannot contain as `_xHHHH_`, a UTF-16 unit in hexadecimal, and escapes the
 * underscore of a text that looks like that (`_x005F_`). Decodes `bytes[start, end)` in place and
 * returns its new end.
 */
export function decodeExcelEscapes(bytes: Buffer, start: number, end: number): number {
  if (!mayHoldEscape(bytes, start, end)) return end
  const text = bytes.toString('utf8', start, end)
  const decoded = text.replace(/_x([0-9a-fA-F]{4})_/g, (_, unit: string) =>
    String.fromCharCode(Number.parseInt(unit, 16)),
  )
  // Two escapes may be the halves of one character.
  return start + bytes.write(decoded.toWellFormed(), start, end - start, 'utf8')
}

function mayHoldEscape(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at + ESCAPE_BYTES <= end; at += 1) {
    if (bytes[at] === UNDERSCORE && bytes[at + 1] === 0x78 && bytes[at + 6] === UNDERSCORE) {
      return true
    }
  }
  return false
}
