/** Days from 1970-01-01 to a day of the Gregorian calendar, from year 1 on. */
export function daysFromCivil(year: number, month: number, day: number): number {
  // Years begin in March here, so that a leap day is the last day; integer divisions stay in int32.
  const march = month <= 2 ? year - 1 : year
  const leapDays = ((march / 4) | 0) - ((march / 100) | 0) + ((march / 400) | 0)
  const dayOfYear = (((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) | 0) + day - 1
  return march * 365 + leapDays + dayOfYear - 719_468
}

const DAYS_IN_MONTH = Uint8Array.of(31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

export function daysInMonth(year: number, month: number): number {
  if (month !== 2) return DAYS_IN_MONTH[month - 1] ?? 0
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/** 70 and above are years of the last century. */
export function fullYear(twoDigits: number): number {
  return twoDigits < 70 ? 2000 + twoDigits : 1900 + twoDigits
}

/** Postgres counts days and microseconds from 2000-01-01. */
export const POSTGRES_EPOCH_DAYS = 10_957
