/**
 * Compares byte by byte: for texts as short as cells, a call into the runtime costs more than that.
 */
export function sameBytes(
  bytes: Uint8Array,
  start: number,
  end: number,
  text: Uint8Array,
): boolean {
  if (end - start !== text.length) return false
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text[i]) return false
  return true
}
