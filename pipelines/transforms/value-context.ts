import type { CommonOptions } from '../core/options.ts'
import { ZoneClock } from '../dates/zone-clock.ts'
import { NullValues } from '../cells/null-placeholders.ts'

/** What holds for every column of one load: how the request wants values to be read. */
export interface ValueContext {
  /** Where a time without a zone was written. */
  readonly zone: ZoneClock
  readonly nullValues: NullValues
  /** By the request. */
  readonly decimal: ',' | '.' | null
  /** By the way the input is written: counts where the numbers themselves leave it open. */
  readonly decimalHint: ',' | '.' | null
}

export function createValueContext(
  options: CommonOptions,
  decimalHint: ',' | '.' | null,
): ValueContext {
  return {
    zone: new ZoneClock(options.timezone ?? 'UTC'),
    nullValues: new NullValues(options.nullValues ?? []),
    decimal: options.decimal ?? null,
    decimalHint,
  }
}
