import type { IngestOptions } from '../core/options.ts'
import { ZoneClock } from '../dates/zone-clock.ts'
import { NullValues } from '../cells/null-placeholders.ts'

/** What holds for every column of one load: how the request wants values to be read. */
export interface ValueContext {
  /** Where a time without a zone was written. */
  readonly zone: ZoneClock
  readonly nullValues: NullValues
  /** What separates the fields of the input, where something does: it hints at the decimal sign. */
  readonly delimiter: string | null
  readonly decimal: ',' | '.' | null
}

export function createValueContext(options: IngestOptions, delimiter: string | null): ValueContext {
  return {
    zone: new ZoneClock(options.timezone ?? 'UTC'),
    nullValues: new NullValues(options.nullValues ?? []),
    delimiter,
    decimal: options.decimal ?? null,
  }
}
