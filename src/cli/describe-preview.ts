import type { ColumnEvidence, Preview, ReportedColumn } from '../../pipelines/index.ts'
import { columnCount, misfits, plain, section, table, warningLines } from './terminal-text.ts'

type CounterExample = NonNullable<ColumnEvidence['counterExample']>

/** A preview for people at a terminal. */
export function describePreview(preview: Preview): string {
  const { input, columns, rows, isSample, invalidCells, warnings, reader } = preview
  const more = isSample ? ' (there is more)' : ''
  const sections = [
    section(`Format: ${input.format}, read by ${reader}`, dialectLines(input.dialect)),
    section('Sheet', sheetLines(preview)),
    section(columnCount(columns), table(COLUMN_TITLES, columns.map(columnCells))),
    section('Evidence in full', columns.map(evidenceLine)),
    section(
      `First rows${more}`,
      table(
        columns.map(({ name }) => name),
        rows.map((row) => row.map((cell) => cell ?? '')),
      ),
    ),
    section('Warnings', [
      ...warnings.flatMap(warningLines),
      ...(invalidCells === 0 ? [] : [misfits(invalidCells)]),
    ]),
  ]
  return sections.filter((text) => text !== '').join('\n')
}

/** The first and the last rows of the sheet, each with what it was recognised as. */
function sheetLines({ table: place, columns, rows }: Preview): string[] {
  if (place === undefined) return []
  const { titles, header, firstRow, lastRow, notes } = place
  const names = columns.map(({ name }) => name).join(' | ')
  const first = rows[0]?.map((cell) => cell ?? '').join(' | ') ?? ''
  const marked = [
    ...titles.map(({ line, text }) => ({ line, mark: 'title', text })),
    ...header.rows.map((line, at) => ({ line, mark: 'header', text: at === 0 ? names : '' })),
    ...(firstRow === null ? [] : [{ line: firstRow, mark: 'first row', text: first }]),
    ...(lastRow === null ? [] : [{ line: lastRow, mark: 'last row', text: '' }]),
    ...notes.map(({ line, text }) => ({ line, mark: 'note', text })),
  ].toSorted((a, b) => a.line - b.line)
  return table(
    ['line', 'taken for', 'text'],
    marked.map(({ line, mark, text }) => [String(line), mark, text]),
  )
}

const COLUMN_TITLES = ['header', 'column', 'type', 'in SQL', 'evidence', 'does not fit']

function columnCells(seen: ReportedColumn) {
  const { name, column, type, dateFormat, pattern = dateFormat, sqlType, evidence } = seen
  const { sampled, candidates, nulls, counterExample, ambiguous } = evidence
  const accepted = candidates.map(
    (candidate) => `${candidate.format ?? candidate.type} ${candidate.accepted}/${sampled}`,
  )
  const reasons = [
    ...accepted.slice(0, 3),
    ...Object.entries(nulls).map(([rule, count]) => `${rule} ${count}`),
    ...(ambiguous ? ['ambiguous'] : []),
  ]
  const against =
    counterExample === null ? '' : `${counterExample.value} (${placeOf(counterExample)})`
  const shownType = pattern === undefined ? type : `${type} ${pattern}`
  return [name, column, shownType, sqlType, reasons.join(', '), against]
}

/** The details that do not fit into the table. */
function evidenceLine({ name, evidence }: ReportedColumn): string {
  const { sampled, candidates, nulls, fallbackParsed, counterExample, ambiguous } = evidence
  const accepted = candidates.map(
    ({ type, format, accepted: count }) =>
      `${type}${format === undefined ? '' : ` ${format}`} ${count}`,
  )
  const nulled = Object.entries(nulls).map(([rule, count]) => `${rule} ${count}`)
  const said = [
    `${sampled} values, of which these fit: ${accepted.join(', ') || 'none'}`,
    `made NULL: ${nulled.join(', ') || 'none'}`,
    `dates read in another format: ${fallbackParsed}`,
    ambiguous ? 'ambiguous' : 'not ambiguous',
    counterExample === null
      ? 'every value fits'
      : `first value that does not fit: ${counterExample.value} (${placeOf(counterExample)})`,
  ]
  return plain(`${name}: ${said.join('; ')}`)
}

function placeOf({ place, line, row }: CounterExample): string {
  return place ?? (line === undefined ? `row ${row}` : `line ${line}`)
}

function dialectLines(dialect: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(dialect).map(([name, found]) => `${name}: ${shown(found)}`)
}

function shown(found: unknown): string {
  if (typeof found === 'string') return found
  if (typeof found === 'object' && found !== null && 'value' in found) {
    const evidence = 'evidence' in found ? ` (${shown(found.evidence)})` : ''
    return `${JSON.stringify(found.value)}${evidence}`
  }
  return JSON.stringify(found)
}
