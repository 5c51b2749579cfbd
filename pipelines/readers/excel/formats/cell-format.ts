/** What a number format makes of a number: the one thing of it that matters to data. */
export const CellFormat = {
  number: 0,
  /** A day, with or without a time. */
  date: 1,
  /** A time of day without a day. */
  time: 2,
  /** The same, showing fractions of a second. */
  preciseTime: 3,
  /** Hours, minutes or seconds that have gone by: they keep counting past a day. */
  duration: 4,
  preciseDuration: 5,
  /** So many digits, whatever the number: a code, not an amount. */
  fixedDigits: 6,
} as const
export type CellFormat = (typeof CellFormat)[keyof typeof CellFormat]
