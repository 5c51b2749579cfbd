/** What a Range header asks for (RFC 9110, 14). Ends are included. */
type RangeChoice =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' }

const WHOLE: RangeChoice = { kind: 'whole' }
const UNSATISFIABLE: RangeChoice = { kind: 'unsatisfiable' }

/**
 * One range is served. Several ranges, other units and invalid headers are ignored, as the
 * standard allows: the client gets the whole object and sees that by the status.
 */
export function chooseRange(header: string | undefined, sizeBytes: number): RangeChoice {
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '')
  if (!match) return WHOLE
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return WHOLE

  if (first === '') {
    const suffixBytes = Math.min(Number(last), sizeBytes)
    if (suffixBytes === 0) return UNSATISFIABLE
    return { kind: 'part', start: sizeBytes - suffixBytes, end: sizeBytes - 1 }
  }
  const start = Number(first)
  const end = last === '' ? Infinity : Number(last)
  if (end < start) return WHOLE
  if (start >= sizeBytes) return UNSATISFIABLE
  return { kind: 'part', start, end: Math.min(end, sizeBytes - 1) }
}

/** If-Range: whether the client's copy is still current, by strong ETag or by exact date. */
export function rangeStillApplies(
  ifRange: string | undefined,
  present: { readonly etag: string; readonly lastModified: Date },
): boolean {
  if (ifRange === undefined) return true
  const validator = ifRange.trim()
  return validator === present.etag || validator === present.lastModified.toUTCString()
}

/** RFC 9110, 13.1.1: a strong comparison, so a weak tag never matches. */
export function matchNames(ifMatch: string | undefined, etag: string): boolean {
  if (ifMatch === undefined) return true
  return names(tagsOf(ifMatch), etag)
}

export function noneMatchNames(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const tags = tagsOf(ifNoneMatch).map((tag) => tag.replace(/^W\//, ''))
  return names(tags, etag)
}

const tagsOf = (header: string) => header.split(',').map((tag) => tag.trim())

const names = (tags: readonly string[], etag: string) =>
  tags.some((tag) => tag === etag || tag === '*')
