/** A date as a text has it, whichever way it is written. */
export interface WrittenDate {
  readonly year: number
  readonly hasTime: boolean
  readonly secondOfDay: number
  readonly microsecond: number
  readonly hasZone: boolean
  /** Seconds east of UTC; only where `hasZone`. */
  readonly zoneOffset: number
  /** Whether the text names this day in some order; of interest where only one order can be. */
  names(year: number, month: number, day: number): boolean
}
