import { EngineError } from '../../core/errors.ts'
import type { ReadContext } from '../../core/reader.ts'
import { onlyColumns } from '../../outline/tables-beside.ts'
import { headerNames } from '../../outline/names.ts'
import type { PlaceByHand } from '../../outline/place-table.ts'
import { seeRow } from '../../outline/seen-row.ts'
import type { SheetRow } from '../../outline/sheet-row.ts'
import type { SheetRows } from '../../outline/table-reading.ts'
import type { CsvOptions } from './csv-options.ts'
import { type FoundText, namesAtBlanks } from './find-dialect.ts'
import { tooManyColumns } from './limits.ts'
import { csvMessages } from './messages.ts'
import { isBlankRow } from './sample-rows.ts'
import { splitAroundStrayQuotes } from './stray-quotes.ts'

export interface Header {
  /** Null for every column if the file has no header. */
  readonly cells: readonly (string | null)[]
  /** The line on which the rows begin. */
  readonly nextLine: number
  /** How many records come before it. */
  readonly recordsBefore: number
  readonly repaired: number
  readonly spaced: number
  /** How many names only blanks divide. */
  readonly namesAtBlanks: number
  /** How many names stand one column further to the left than their values. */
  readonly namesMoved: number
}

/** The records of a text up to its rows, one after another. */
export interface Records {
  /** The line of the next record. */
  readonly line: number
  readonly count: number
  /** Skips what begins above the line; false if the text ends before it. */
  skipTo(line: number): Promise<boolean>
  /** Null at the end. */
  take(): Promise<HeaderRecord | null>
  /** The rows that follow, once the header was read. */
  rowsBelow(found: FoundText, header: Header, context: ReadContext<CsvOptions>): SheetRows
}

export interface HeaderRecord extends SheetRow {
  /** Larger than the number of cells if there are more fields than a table may have. */
  readonly fields: number
  readonly repaired: number
  readonly spaced: number
  /** As it is written, without its line break. */
  readonly raw: string
}

/** Reads up to and including the header, so that the first row of data comes next. */
export async function readHeader(
  records: Records,
  found: FoundText,
  byHand: PlaceByHand,
  { options, limits }: ReadContext<CsvOptions>,
): Promise<Header> {
  const { table, fields, mostFields } = found
  const lines = table?.header ?? [1]
  const header: HeaderRecord[] = []
  const { listed } = found
  let atBlanks = 0
  let moved = 0
  for (const line of lines) {
    const record = (await records.skipTo(line)) ? await records.take() : null
    if (record === null) throw noSuchRow(line, '/headerRow')
    if (record.fields > limits.columns) {
      throw tooManyColumns(record.fields, limits.columns, record.line)
    }
    const names = found.names === 'at blanks' ? namesAtBlanks(record.raw, fields) : null
    atBlanks += names?.length ?? 0
    if (names !== null) header.push({ ...record, cells: names, fields })
    else if (found.names === 'but the first' && record.fields === fields - 1) {
      header.push({ ...record, cells: ['', ...record.cells], fields })
      moved += record.fields
    } else header.push(lines.length === 1 ? withoutStrayQuotes(record, found) : record)
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
  const unlisted = header.length === 0 ? noNames(given) : namesOf(header, filled, width, fields)
  return {
    cells: listed ?? unlisted,
    nextLine: records.line,
    recordsBefore: records.count,
    repaired: header.reduce((sum, { repaired }) => sum + repaired, 0),
    spaced: header.reduce((sum, { spaced }) => sum + spaced, 0),
    namesAtBlanks: atBlanks,
    namesMoved: moved,
  }
}

/** A header of one row is as wide as it is; one of several rows may lack names at its end. */
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

/** A stray quote would join names; the rows tell how many there are. */
function withoutStrayQuotes(record: HeaderRecord, { fields, dialect }: FoundText): HeaderRecord {
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
