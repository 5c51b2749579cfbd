/** RFC 3339, as ISO 8601 is written on the net. */
const INSTANT = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/

/** A date of JavaScript would be the 2nd of March for the 30th of February. */
export function isInstant(text: string): boolean {
  if (!INSTANT.test(text) || Number.isNaN(Date.parse(text))) return false
  const day = text.slice(0, 'YYYY-MM-DD'.length)
  return new Date(day).toISOString().startsWith(day)
}
