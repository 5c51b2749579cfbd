/**
 * Gives every column a unique header: blanks become `Sans titre N`, duplicates get `_2`, `_3` … The
 * first occurrence of a header is never changed, so generated names avoid all those of the input.
 * Nothing is trimmed, and a second run changes nothing.
 *
 * `before` are headers that were assigned earlier (a JSON key may appear late): they stay as they
 * are, and only the headers for `raw` are returned.
 */
export function normaliseHeaders(
  raw: readonly (string | null | undefined)[],
  before: readonly string[] = [],
): string[] {
  const taken = new Set(before)
  const standing = new Set([...before, ...raw.filter((header) => !isBlankHeader(header))])
  const suffixes = new Map<string, number>()
  let untitled = 0

  const nextUntitled = (): string => {
    let name: string
    do name = `Sans titre ${(untitled += 1)}`
    while (standing.has(name))
    return name
  }
  const nextRepeat = (header: string): string => {
    let suffix = suffixes.get(header) ?? 1
    let name: string
    do name = `${header}_${(suffix += 1)}`
    while (standing.has(name) || taken.has(name))
    suffixes.set(header, suffix)
    return name
  }

  return raw.map((header) => {
    const name = isBlankHeader(header)
      ? nextUntitled()
      : taken.has(header)
        ? nextRepeat(header)
        : header
    taken.add(name)
    return name
  })
}

export function isBlankHeader(header: string | null | undefined): header is null | undefined | '' {
  return header === null || header === undefined || header.trim() === ''
}
