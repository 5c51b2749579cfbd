import type { IngestOptions } from '../core/options.ts'
import type { ReadingReport } from '../core/reader.ts'
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

export function readingWarnings({ mended, dialect }: ReadingReport): readonly string[] {
  const mends = Object.entries(mended)
    .filter(([, times]) => times > 0)
    .map(([what, times]) => `mended while reading: ${what} (${times})`)
  const { path, otherArrays } = dialect
  if (!Array.isArray(otherArrays)) return mends
  const others = otherArrays.join(', ')
  return [
    ...mends,
    `rows were taken from ${String(path)}; ${others} could be meant as well, by the option "path"`,
  ]
}

/** Options that say nothing about a format, so that nobody looks for what they did. */
const WITHOUT_MEANING: Readonly<Record<ReadingReport['format'], readonly (keyof IngestOptions)[]>> =
  {
    csv: ['sheet', 'path'],
    excel: ['encoding', 'delimiter', 'quote', 'path'],
    json: ['delimiter', 'quote', 'headerRow', 'sheet', 'ragged'],
    records: ['format', 'encoding', 'delimiter', 'quote', 'headerRow', 'sheet', 'path', 'ragged'],
  }

export function optionWarnings(
  options: IngestOptions,
  { format }: ReadingReport,
): readonly string[] {
  return WITHOUT_MEANING[format]
    .filter((name) => options[name] !== undefined)
    .map((name) => `the option "${name}" means nothing for ${format}, and did nothing`)
}
