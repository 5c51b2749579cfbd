import { EngineError } from '../../core/errors.ts'
import type { ReadContext } from '../../core/reader.ts'
import type { TextInput } from '../../input/text/open-text.ts'
import { type OnBroken, brokenRow } from './broken-rows.ts'
import type { CsvOptions } from './csv-options.ts'
import { tooManyColumns } from './limits.ts'
import { RangeRows } from './range-rows.ts'
import { RowTable } from './row-table.ts'
import type { Sniffed } from './sniff-dialect.ts'

export interface Header {
  /** Null for every column where the file has no header. */
  readonly cells: readonly (string | null)[]
  /** Line on which the rows begin. */
  readonly nextLine: number
  readonly evidence: HeaderEvidence
}

interface HeaderEvidence {
  /** Number of the header among the records, from 1; 0 where there is none. */
  readonly row: number
  readonly line?: number
  readonly evidence: 'found' | 'given'
}

/** Reads up to and including the header row; the text then stands at the first row of data. */
export async function readHeader(
  text: TextInput,
  sniffed: Sniffed,
  context: ReadContext<CsvOptions>,
): Promise<Header> {
  const { headerIndex, syntaxRecords, width } = sniffed
  const line = await skipRecords(text, sniffed, headerIndex ?? syntaxRecords, context)
  const evidence = context.options.headerRow === undefined ? 'found' : 'given'
  if (headerIndex === null) {
    checkWidth(width, line, context)
    const cells = Array.from({ length: width }, () => null)
    return { cells, nextLine: line, evidence: { row: 0, evidence } }
  }
  const record = await readRecord(text, sniffed, line, context)
  if (record === null) throw noSuchRow(headerIndex + 1)
  checkWidth(record.fields, line, context)
  return { ...record, evidence: { row: headerIndex + 1, line, evidence } }
}

const brokenAboveData: OnBroken = (_, line, message) => {
  throw brokenRow(message, { line })
}

/** Returns the line behind them. */
async function skipRecords(
  text: TextInput,
  { dialect }: Sniffed,
  records: number,
  { limits }: ReadContext,
): Promise<number> {
  if (records === 0) return 1
  const table = new RowTable(1, 1, limits.cellBytes, () => undefined)
  const rows = new RangeRows(text, dialect, table, limits, brokenAboveData)
  let left = records
  while (left > 0) {
    const found = await rows.take(left)
    if (found === null) throw noSuchRow(records + 1)
    left -= found.rows
  }
  rows.putBackRest()
  return table.line
}

async function readRecord(
  text: TextInput,
  { dialect }: Sniffed,
  line: number,
  { limits }: ReadContext,
): Promise<{ cells: string[]; fields: number; nextLine: number } | null> {
  let fields = 0
  // One more than there may be, so that even the widest header is not exactly as wide.
  const most = limits.columns + 1
  const table = new RowTable(most, line, limits.cellBytes, (ragged) => {
    fields = ragged.fields
  })
  const rows = new RangeRows(text, dialect, table, limits, brokenAboveData)
  const found = await rows.take(1)
  if (found === null) return null
  rows.putBackRest()
  const { bytes, start, end } = found
  const cells = Array.from({ length: Math.min(fields || most, most) }, (_, cell) =>
    bytes.toString('utf8', start[cell], end[cell]),
  )
  return { cells, fields: fields || most, nextLine: table.line }
}

export function checkWidth(columns: number, line: number, { limits }: ReadContext): void {
  if (columns > limits.columns) throw tooManyColumns(columns, limits.columns, line)
}

export function noSuchRow(row: number): EngineError {
  return new EngineError(`The file ends before row ${row}, where the header should be.`, {
    kind: 'options',
    pointer: '/headerRow',
  })
}
