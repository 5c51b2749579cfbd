import type { ReportedColumn } from '../core/report.ts'

/** What a person should look at, though nothing failed. */
export function columnWarnings(columns: readonly ReportedColumn[]): readonly string[] {
  return columns.flatMap(({ name, type, dateFormat, evidence }) => {
    const warnings: string[] = []
    if (evidence.ambiguous) {
      warnings.push(
        type === 'date'
          ? `«${name}»: day and month cannot be told apart; read as ${dateFormat}`
          : `«${name}»: decimal sign and thousands separator cannot be told apart`,
      )
    }
    if (evidence.fallbackParsed > 0) {
      warnings.push(
        `«${name}»: ${evidence.fallbackParsed} dates are not written as ${dateFormat}, and were read in another format`,
      )
    }
    return warnings
  })
}

export function unseenWarnings(columns: readonly string[]): readonly string[] {
  return columns.map(
    (name) => `no column «${name}» was seen so far: a load is refused if it never comes`,
  )
}
