/** A date as read from a text, whatever its notation. */
export interface WrittenDate {
  readonly year: number
  readonly hasTime: boolean
  readonly secondOfDay: number
  readonly microsecond: number
  readonly hasZone: boolean
  /** Seconds east of UTC; only valid if `hasZone`. */
  readonly zoneOffset: number
  /** Whether the text is this day in some order; only useful for days that allow a single order. */
  names(year: number, month: number, day: number): boolean
}
