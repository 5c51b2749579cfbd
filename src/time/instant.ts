/** RFC 3339, the profile of ISO 8601 for the internet. */
const INSTANT = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/

/** JavaScript would turn the 30th of February into the 2nd of March. */
export function isInstant(text: string): boolean {
  if (!INSTANT.test(text) || Number.isNaN(Date.parse(text))) return false
  const day = text.slice(0, 'YYYY-MM-DD'.length)
  return new Date(day).toISOString().startsWith(day)
}
