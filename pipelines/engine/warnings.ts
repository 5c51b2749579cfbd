import type { ReportedColumn } from '../core/report.ts'
import type { Warning } from '../core/warning.ts'

/** What a person should look at in the columns, though nothing failed. */
export function columnWarnings(columns: readonly ReportedColumn[]): readonly Warning[] {
  return columns.flatMap(({ name, type, dateFormat, evidence }) => {
    const warnings: Warning[] = []
    if (evidence.ambiguous) {
      warnings.push(
        type === 'date'
          ? {
              code: 'day-and-month-ambiguous',
              message: `«${name}»: day and month cannot be told apart; read as ${dateFormat}`,
              column: name,
            }
          : {
              code: 'decimal-sign-ambiguous',
              message: `«${name}»: decimal sign and thousands separator cannot be told apart`,
              column: name,
            },
      )
    }
    if (evidence.fallbackParsed > 0) {
      warnings.push({
        code: 'dates-in-another-format',
        message: `«${name}»: ${evidence.fallbackParsed} dates are not written as ${dateFormat}, and were read in another format`,
        column: name,
      })
    }
    return warnings
  })
}

export function unseenWarnings(columns: readonly string[]): readonly Warning[] {
  return columns.map((name) => ({
    code: 'column-not-seen',
    message: `no column «${name}» was seen so far: a load is refused if it never comes`,
    column: name,
  }))
}
