/** The cursor stands behind the records or in front of them, where little else is. */
const END_BYTES = 8 * 1024

const CURSOR = /"nextCursor"\s*:\s*("(?:[^"\\]|\\.)+")/g

/** The cursor of a page that was not read yet: a guess, since it knows nothing of what is around it. */
export function likelyCursor(page: readonly Buffer[]): string | null {
  const behind = [...tailOf(page).matchAll(CURSOR)].at(-1)?.[1]
  const cursor = behind ?? headOf(page).matchAll(CURSOR).next().value?.[1]
  if (cursor === undefined) return null
  try {
    return JSON.parse(cursor) as string
  } catch {
    // Whoever reads the page will tell what is wrong with it.
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
