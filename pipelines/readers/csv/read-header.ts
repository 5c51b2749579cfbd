import { EngineError } from '../../core/errors.ts'
import type { ReadContext } from '../../core/reader.ts'
import { readableName } from '../../input/text/readable-name.ts'
import { onlyColumns } from '../../outline/beside.ts'
import { headerNames } from '../../outline/header-names.ts'
import type { PlaceByHand } from '../../outline/place-table.ts'
import { seeRow } from '../../outline/seen-row.ts'
import type { SheetRow } from '../../outline/sheet-row.ts'
import type { SheetRows } from '../../outline/table-reading.ts'
import type { CsvOptions } from './csv-options.ts'
import type { Dialect } from './dialect.ts'
import type { FoundText } from './find-dialect.ts'
import { tooManyColumns } from './limits.ts'
import { csvMessages } from './messages.ts'
import { isBlankRow } from './sample-rows.ts'
import { splitAroundStrayQuotes } from './stray-quotes.ts'

export interface Header {
  /** Null for every column where the file has no header. */
  readonly cells: readonly (string | null)[]
  /** Line on which the rows begin. */
  readonly nextLine: number
  /** How many records stand before it. */
  readonly recordsBefore: number
  readonly repaired: number
  readonly spaced: number
  /** Names that held signs which nobody could read. */
  readonly namesMended: number
}

/** The records of a text, one after the other, on the way to its rows. */
export interface Records {
  /** Of the record that comes next. */
  readonly line: number
  readonly count: number
  /** Passes what begins above the line; false where the text ends before. */
  skipTo(line: number): Promise<boolean>
  /** Null at the end. */
  take(): Promise<HeaderRecord | null>
  /** What follows, once the header was taken. */
  rowsBelow(found: FoundText, header: Header, context: ReadContext<CsvOptions>): SheetRows
}

export interface HeaderRecord extends SheetRow {
  /** More than there are cells where there are more than a table may have. */
  readonly fields: number
  readonly repaired: number
  readonly spaced: number
  /** As it is written, without its line break. */
  readonly raw: string
}

/** Reads up to and including the header; the text then stands at the first row of data. */
export async function readHeader(
  records: Records,
  { dialect, table, fields, mostFields }: FoundText,
  byHand: PlaceByHand,
  { options, limits }: ReadContext<CsvOptions>,
): Promise<Header> {
  const lines = table?.header ?? [1]
  const header: HeaderRecord[] = []
  for (const line of lines) {
    const record = (await records.skipTo(line)) ? await records.take() : null
    if (record === null) throw noSuchRow(line, '/headerRow')
    if (record.fields > limits.columns) {
      throw tooManyColumns(record.fields, limits.columns, record.line)
    }
    header.push(lines.length === 1 ? withoutStrayQuotes(record, fields, dialect) : record)
  }
  const columns = table?.columns ?? null
  const own =
    columns === null ? header : header.map((row) => ({ ...row, ...onlyColumns(row, columns) }))
  const filled = own.filter((row) => !isBlankRow(row))
  const firstRow = table?.rowsFrom ?? null
  if (firstRow !== null && !(await records.skipTo(firstRow)) && byHand.firstRow !== undefined) {
    throw noSuchRow(firstRow, '/firstRow')
  }
  const given = options.notes === 'load' ? mostFields : fields
  const width = Math.max(0, ...header.map((row) => row.fields))
  if (header.length !== 1 && given > limits.columns) {
    throw tooManyColumns(given, limits.columns, records.line)
  }
  const names = header.length === 0 ? noNames(given) : namesOf(header, filled, width, fields)
  const cells = names.map((name) => (name === null ? null : readableName(name)))
  return {
    cells,
    nextLine: records.line,
    recordsBefore: records.count,
    repaired: header.reduce((sum, { repaired }) => sum + repaired, 0),
    spaced: header.reduce((sum, { spaced }) => sum + spaced, 0),
    namesMended: cells.filter((name, at) => name !== names[at]).length,
  }
}

/** A header of one row is as wide as it is; one of several may leave names out at its end. */
function namesOf(
  header: readonly HeaderRecord[],
  filled: readonly HeaderRecord[],
  width: number,
  fields: number,
): readonly string[] {
  if (header.length === 1) return header[0]!.cells
  const rows = filled.map((row) => seeRow(row, false))
  return headerNames(rows, Math.max(width, fields))
}

/** A quote that opens nothing would join names; what the rows have says how many there are. */
function withoutStrayQuotes(record: HeaderRecord, fields: number, dialect: Dialect): HeaderRecord {
  const isJoined = record.repaired > 0 && record.fields < fields
  const cells = isJoined ? splitAroundStrayQuotes(record.raw, dialect, fields) : null
  return cells === null ? record : { ...record, cells, fields }
}

const noNames = (columns: number) => Array.from({ length: columns }, () => null)

function noSuchRow(row: number, pointer: string): EngineError {
  const said = pointer === '/firstRow' ? csvMessages.noFirstRow : csvMessages.noHeader
  return new EngineError(said({ row }), {
    kind: 'options',
    pointer,
  })
}
