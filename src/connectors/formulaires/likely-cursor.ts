/** The cursor stands behind the records, where little else is. */
const TAIL_BYTES = 8 * 1024

const CURSOR = /"nextCursor"\s*:\s*("(?:[^"\\]|\\.)+")/g

/** The cursor of a page that was not read yet: a guess, since it knows nothing of what is around it. */
export function likelyCursor(page: readonly Buffer[]): string | null {
  const last = [...tailOf(page).matchAll(CURSOR)].at(-1)?.[1]
  if (last === undefined) return null
  try {
    return JSON.parse(last) as string
  } catch {
    // Whoever reads the page will tell what is wrong with it.
    return null
  }
}

function tailOf(page: readonly Buffer[]): string {
  const pieces: Buffer[] = []
  let wanted = TAIL_BYTES
  for (let at = page.length - 1; at >= 0 && wanted > 0; at--) {
    const piece = page[at]!.subarray(-wanted)
    pieces.unshift(piece)
    wanted -= piece.length
  }
  return Buffer.concat(pieces).toString()
}
