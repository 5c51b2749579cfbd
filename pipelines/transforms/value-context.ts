import type { CommonOptions, ColumnOverride, UiDateFormat } from '../core/options.ts'
import { ZoneClock } from '../dates/zone-clock.ts'
import { NullValues } from '../cells/known-words.ts'
import { EngineError } from '../core/errors.ts'
import type { SqlType } from '../core/plan.ts'
import { overrideMessages } from './override-messages.ts'
import type { Message } from '../core/message.ts'
import { faultOfPattern } from '../dates/date-pattern.ts'

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

/**
 * A type that is fixed for a column: by the request, by the table that rows are added to, or by the
 * input.
 */
export interface HeldType extends ColumnOverride {
  /** The type in the existing table; absent for a new table. */
  readonly sqlType?: SqlType
  /** The type that the input declares. */
  readonly statedAs?: SqlType
  /** The format of the dates in existing rows; decides if new ones leave day and month open. */
  readonly usualFormat?: UiDateFormat
}

/** Checks `columns` as far as possible before the input is read. */
export function checkOverrides(overrides: readonly ColumnOverride[]): void {
  const names = new Set<string>()
  overrides.forEach(({ name, type, dateFormat, pattern }, at) => {
    if (dateFormat !== undefined && type !== 'date') {
      throw refusal(overrideMessages.dateFormatOfDate(), `/columns/${at}/dateFormat`)
    }
    if (pattern !== undefined) {
      const fault = faultOfOverride(type, dateFormat, pattern)
      if (fault !== null) throw refusal(fault, `/columns/${at}/pattern`)
    }
    if (names.has(name)) {
      throw refusal(overrideMessages.columnTwice({ name }), `/columns/${at}/name`)
    }
    names.add(name)
  })
}

function faultOfOverride(
  type: ColumnOverride['type'],
  dateFormat: UiDateFormat | undefined,
  pattern: string,
): Message | null {
  if (type !== 'date') return overrideMessages.patternOfDate()
  return dateFormat === undefined ? faultOfPattern(pattern) : overrideMessages.patternOrFormat()
}

export function overrideOf(
  overrides: readonly ColumnOverride[],
  header: string,
): ColumnOverride | null {
  return overrides.find(({ name }) => name === header) ?? null
}

function refusal(message: Message, pointer: string): EngineError {
  return new EngineError(message, { kind: 'options', pointer })
}
