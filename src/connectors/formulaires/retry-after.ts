const LONGEST_SECONDS = 24 * 3600
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w: -]{10,30}$/

/**
 * The seconds to wait according to a Retry-After header (a number or a date), or null if it gives
 * none.
 */
export function retryAfterSeconds(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text), LONGEST_SECONDS)
  const at = HTTP_DATE.test(text) ? Date.parse(inGmt(text)) : NaN
  if (Number.isNaN(at)) return null
  return Math.min(Math.max(0, Math.ceil((at - nowMs) / 1000)), LONGEST_SECONDS)
}

/** The oldest of the three date formats has no zone, but also means GMT. */
function inGmt(date: string): string {
  return date.endsWith('GMT') ? date : `${date} GMT`
}
