import type { CellError } from '../../pipelines/index.ts'
import { misfits, plain, section } from './terminal-text.ts'

const MOST_SHOWN = 20

/** Lists cells that do not fit, with their place and column, for people at a terminal. */
export function describeMisfits(errors: readonly CellError[], total: number): string {
  const shown = errors.slice(0, MOST_SHOWN).map(lineOf)
  const more = total - shown.length
  return section(misfits(total), more === 0 ? shown : [...shown, `and ${more} more`]).trimEnd()
}

function lineOf({ row, line, place, column, message }: CellError): string {
  const where = place ?? (line === undefined ? `row ${row}` : `line ${line}`)
  // A row that is broken has no column to name.
  return plain(`${where}${column === '' ? '' : `, ${column}`}: ${String(message)}`)
}
