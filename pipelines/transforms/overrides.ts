import { EngineError } from '../core/errors.ts'
import type { ColumnOverride, UiDateFormat } from '../core/options.ts'
import type { SqlType } from '../core/plan.ts'
import { overrideMessages } from './override-messages.ts'
import type { Message } from '../core/message.ts'
import { faultOfPattern } from '../dates/date-pattern.ts'

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
