import type { CommonOptions } from '../core/options.ts'
import { ZoneClock } from '../dates/zone-clock.ts'
import { NullValues } from '../cells/known-words.ts'

/** How the request wants values to be read, in every column of one load. */
export interface ValueContext {
  /** The zone of times that have none. */
  readonly zone: ZoneClock
  readonly nullValues: NullValues
  /** Whether days that programs write for "no date" are dates all the same. */
  readonly keepsPlaceholderDays: boolean
  /** Given by the request. */
  readonly decimal: ',' | '.' | null
  /** Suggested by the input; only counts if the numbers themselves leave it open. */
  readonly decimalHint: ',' | '.' | null
}

export function createValueContext(
  options: CommonOptions,
  decimalHint: ',' | '.' | null,
): ValueContext {
  return {
    zone: new ZoneClock(options.timezone ?? 'UTC'),
    nullValues: new NullValues(options.nullValues ?? []),
    keepsPlaceholderDays: options.datePlaceholders === false,
    decimal: options.decimal ?? null,
    decimalHint,
  }
}
