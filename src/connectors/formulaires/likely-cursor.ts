/** The cursor is after the records or before them, together with little else. */
const END_BYTES = 8 * 1024

const CURSOR = /"nextCursor"\s*:\s*("(?:[^"\\]|\\.)+")/g

/** Guesses the cursor of a page that has not been parsed yet, without knowing its context. */
export function likelyCursor(page: readonly Buffer[]): string | null {
  const behind = [...tailOf(page).matchAll(CURSOR)].at(-1)?.[1]
  const cursor = behind ?? headOf(page).matchAll(CURSOR).next().value?.[1]
  if (cursor === undefined) return null
  try {
    return JSON.parse(cursor) as string
  } catch {
    // Parsing the page will report what is wrong with it.
    return null
  }
}

function headOf(page: readonly Buffer[]): string {
  const pieces: Buffer[] = []
  let wanted = END_BYTES
  for (let at = 0; at < page.length && wanted > 0; at++) {
    const piece = page[at]!.subarray(0, wanted)
    pieces.push(piece)
    wanted -= piece.length
  }
  return Buffer.concat(pieces).toString()
}

function tailOf(page: readonly Buffer[]): string {
  const pieces: Buffer[] = []
  let wanted = END_BYTES
  for (let at = page.length - 1; at >= 0 && wanted > 0; at--) {
    const piece = page[at]!.subarray(-wanted)
    pieces.unshift(piece)
    wanted -= piece.length
  }
  return Buffer.concat(pieces).toString()
}
