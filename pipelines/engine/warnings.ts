import type { ReportedColumn } from '../core/report.ts'
import type { Warning } from '../core/warning.ts'
import { warningMessages } from './warning-messages.ts'

/** What a person should look at in the columns, though nothing failed. */
export function columnWarnings(columns: readonly ReportedColumn[]): readonly Warning[] {
  return columns.flatMap(({ name, type, dateFormat, evidence }) => {
    const warnings: Warning[] = []
    if (evidence.ambiguous) {
      warnings.push(
        type === 'date'
          ? {
              code: 'day-and-month-ambiguous',
              message: warningMessages.dayAndMonth({ name, format: dateFormat ?? '' }),
              column: name,
            }
          : {
              code: 'decimal-sign-ambiguous',
              message: warningMessages.decimalSign({ name }),
              column: name,
            },
      )
    }
    if (evidence.fallbackParsed > 0) {
      warnings.push({
        code: 'dates-in-another-format',
        message: warningMessages.otherFormat({
          name,
          count: evidence.fallbackParsed,
          format: dateFormat ?? '',
        }),
        column: name,
      })
    }
    return warnings
  })
}

export function unseenWarnings(columns: readonly string[]): readonly Warning[] {
  return columns.map((name) => ({
    code: 'column-not-seen',
    message: warningMessages.notSeen({ name }),
    column: name,
  }))
}
