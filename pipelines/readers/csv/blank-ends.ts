import type { PlacedTable } from '../../outline/place-table.ts'
import type { SheetRow } from '../../outline/sheet-row.ts'
import { isBlankRow } from './sample-rows.ts'

/** Fewer rows may end with a delimiter by mistake. */
const LEAST_ROWS = 3
/** As many rows have to end alike; the others may be notes, or have no such end. */
const LEAST_SHARE = 0.9

/** How many fields a row may have, judged by what is behind the last name and the last value. */
export interface BlankEnds {
  /** A row without the columns behind these lacks nothing: they have neither a name nor a value. */
  readonly least: number
  /** So many fields most rows have, and what the header does not name is blank. */
  readonly most: number
}

/** Judged on the first rows. A column that holds anything there is a column like any other. */
export function blankEnds(rows: readonly SheetRow[], table: PlacedTable | null): BlankEnds {
  if (table === null || table.columns !== null || table.header.length === 0) {
    return { least: Infinity, most: 0 }
  }
  const header = rows.filter(({ line }) => table.header.includes(line))
  const from = table.rowsFrom ?? Infinity
  const body = rows.filter((row) => row.line >= from && !isBlankRow(row))
  const width = most(header.map(({ cells }) => cells.length))
  const valued = most(body.map(filledTo))
  const longer = body.filter(({ cells }) => cells.length > width)
  const longest = most(longer.map(({ cells }) => cells.length))
  const areAlike =
    longer.length >= Math.max(LEAST_ROWS, LEAST_SHARE * body.length) &&
    valued <= width &&
    longer.every(({ cells }) => cells.length === longest)
  const least = Math.max(valued, most(header.map(filledTo)))
  return { least, most: areAlike ? longest : 0 }
}

const most = (numbers: readonly number[]) => numbers.reduce((max, one) => Math.max(max, one), 0)

const filledTo = ({ cells }: SheetRow) => cells.findLastIndex((cell) => cell.trim() !== '') + 1
