import { EngineError } from '../core/errors.ts'
import type { ColumnOverride, UiDateFormat } from '../core/options.ts'
import type { SqlType } from '../core/plan.ts'
import { overrideMessages } from './override-messages.ts'
import type { Message } from '../core/message.ts'
import { faultOfPattern } from '../dates/date-pattern.ts'

/** What a column's type is held to: by the request, by the table that rows are added to, or by the input. */
export interface HeldType extends ColumnOverride {
  /** What the table has it as; absent where the table is made anew. */
  readonly sqlType?: SqlType
  /** What the input says that it holds. */
  readonly statedAs?: SqlType
  /** How its rows had their dates; decides where others leave day and month open. */
  readonly usualFormat?: UiDateFormat
}

/** What can be said against `columns` before the input is read. */
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
