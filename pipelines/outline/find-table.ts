import type { Line } from '../core/table-report.ts'
import { type Alternative, alternativesTo, type Reason, reasonsFor } from './evidence.ts'
import { type Top, placesOf } from './find-top.ts'
import { headerNames } from './names.ts'
import { likelyTops } from './likely-tops.ts'
import { asLine, seeRows, type SeenRow } from './seen-row.ts'
import type { LineRange, MergedRange, SheetRow } from './sheet-row.ts'
import { type EndWatch, watchBelow } from './watch-end.ts'

/** The place of a table in its sheet, as far as the first rows show it. */
export interface FoundTable {
  /** What is above its rows and not part of the header. */
  readonly titles: readonly Line[]
  /** Lines of the header; empty if there is none. */
  readonly header: readonly number[]
  /** One per column, not normalised. */
  readonly names: readonly string[]
  /** Null: there is a header with nothing below it. */
  readonly firstRow: number | null
  /** Other tables above it. `endWatch` finds those below. */
  readonly above: readonly LineRange[]
  /** Empty if the table is plain (`plain-header.ts`), or has no header. */
  readonly reasons: readonly Reason[]
  readonly alternatives: readonly Alternative[]
  /** Must be given every row of the sheet, beginning with the first. */
  readonly endWatch: EndWatch
}

interface Candidate {
  readonly rows: readonly SeenRow[]
  readonly tops: readonly Top[]
  readonly range: LineRange
  readonly filledCells: number
}

/**
 * The largest table in the first rows of a sheet; null if they are empty. For every format, this
 * is where the header is decided.
 */
export function findTable(
  sheet: readonly SheetRow[],
  merged: readonly MergedRange[] = [],
): FoundTable | null {
  const candidates = candidatesIn(sheet, merged)
  if (candidates.length === 0) return null
  const largest = candidates.reduce((best, one) =>
    one.filledCells > best.filledCells ? one : best,
  )
  const { rows, tops } = largest
  const { headerFrom, headerTo, firstRow } = tops[0]!
  const header = rows.slice(headerFrom, headerTo)
  const width = widthOf(rows.slice(headerFrom))
  return {
    titles: [...rows.slice(0, headerFrom), ...rows.slice(headerTo, firstRow)].map(asLine),
    header: header.map(({ line }) => line),
    names: header.length === 0 ? blankNames(width) : headerNames(header, width, merged),
    firstRow: rows[firstRow]?.line ?? null,
    above: candidates.slice(0, candidates.indexOf(largest)).map(({ range }) => range),
    reasons: tops.length > 1 ? reasonsFor(placesOf(rows), tops[0]!) : [],
    alternatives: alternativesTo(tops, rows),
    endWatch: watchBelow(header, rows.slice(firstRow)),
  }
}

/** The tables of a sheet, one below another. */
function candidatesIn(sheet: readonly SheetRow[], merged: readonly MergedRange[]): Candidate[] {
  const candidates: Candidate[] = []
  let rest = sheet
  for (;;) {
    const seen = seeRows(rest, merged)
    if (seen.length === 0) return candidates
    const { tops, next } = tableIn(rest, seen)
    const rows = next === null ? seen : seen.filter(({ line }) => line < next)
    candidates.push({
      rows,
      tops,
      range: { firstLine: rows[0]!.line, lastLine: rows.at(-1)!.line },
      filledCells: rows.reduce((sum, { filled }) => sum + filled.length, 0),
    })
    if (next === null) return candidates
    rest = rest.slice(rest.findIndex(({ line }) => line === next))
  }
}

/** The top of the first table, and the line on which another one begins. */
function tableIn(
  sheet: readonly SheetRow[],
  seen: readonly SeenRow[],
): { tops: readonly Top[]; next: number | null } {
  const tops = likelyTops(seen)
  const { headerFrom, headerTo, firstRow } = tops[0]!
  const body = seen.slice(firstRow)
  if (body.length === 0) return { tops, next: null }
  const endWatch = watchBelow(seen.slice(headerFrom, headerTo), body)
  for (const row of sheet) if (row.line >= body[0]!.line) endWatch.take(row)
  return { tops, next: endWatch.end().others[0]?.firstLine ?? null }
}

function widthOf([header, ...rows]: readonly SeenRow[]): number {
  return Math.max(header!.cells.length, ...rows.map(({ width }) => width))
}

const blankNames = (width: number) => Array.from({ length: width }, () => '')
