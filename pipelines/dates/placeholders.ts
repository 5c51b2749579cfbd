import { Outcome } from '../cells/outcome.ts'
import { sameBytes } from '../cells/known-words.ts'
import type { WrittenDate } from './written-date.ts'

/** The Unix epoch as seen from Paris in summer. */
const EPOCH_WINDOW_SECONDS = 2 * 3600

const ZERO = 0x30
const ZEROS = ['0', '0.0', '0,0'].map((text) => Buffer.from(text))

export function isZeroText(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > 3 || bytes[start] !== ZERO) return false
  return ZEROS.some((zero) => sameBytes(bytes, start, end, zero))
}

/** Whether the canonical text of a number is zero. */
export function isZeroNumber(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (byte !== 0x30 && byte !== 0x2e && byte !== 0x2d) return false
  }
  return true
}

/**
 * Dates that programs write for "no date", in any layout: returns the rule, or `stored` for a real
 * date. Each of these days is only valid in one order of day and month. `utcSeconds` is the instant
 * since the epoch.
 */
export function placeholderRule(date: WrittenDate, utcSeconds: number): Outcome {
  const { year } = date
  if (year > 1970 || year < 1899) return Outcome.stored
  // Excel's day zero, and its day one.
  if (date.names(1899, 12, 30)) return Outcome.excelDayZero
  if (date.names(1900, 1, 1)) return Outcome.excelDayOne
  if (!date.hasTime) return date.names(1970, 1, 1) ? Outcome.epoch : Outcome.stored
  const midnight = date.secondOfDay === 0 && date.microsecond === 0
  if (midnight && date.names(1970, 1, 1)) return Outcome.epoch
  const pastWindow = utcSeconds === EPOCH_WINDOW_SECONDS && date.microsecond > 0
  const inWindow = utcSeconds >= 0 && utcSeconds <= EPOCH_WINDOW_SECONDS && !pastWindow
  return inWindow ? Outcome.epoch : Outcome.stored
}
