/** How a number format shows a number, which is all about it that matters to data. */
export const CellFormat = {
  number: 0,
  /** A day, with or without a time. */
  date: 1,
  /** A time of day without a day. */
  time: 2,
  /** The same, showing fractions of a second. */
  preciseTime: 3,
  /** A duration in hours, minutes or seconds, which keeps counting past a day. */
  duration: 4,
  preciseDuration: 5,
  /** A fixed number of digits for any number: a code, not an amount. */
  fixedDigits: 6,
} as const
export type CellFormat = (typeof CellFormat)[keyof typeof CellFormat]
