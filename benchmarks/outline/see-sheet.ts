import { readFileSync } from 'node:fs'

import { parse } from 'csv-parse/sync'

import {
  CellKind,
  findTable,
  type MergedRange,
  type SheetRow,
  weighReadings,
} from '../../pipelines/index.ts'
import type { LabelledSheet, SheetCells } from './labelled-sheets.ts'

const DELIMITERS = ['\t', ';', '|', ',', null] as const
/** On so many it is decided where the table stands. */
const FIRST_ROWS = 200

/** What was seen in a sheet. What a tool does not tell is absent. */
export interface SeenSheet {
  readonly delimiter?: string | null
  readonly header: readonly number[]
  readonly firstRow: number | null
  readonly lastRow?: number | null
  readonly columns: readonly string[]
  readonly titles?: readonly number[]
  readonly notes?: readonly number[]
}

/** By the engine's model of a table's outline. */
export function seeSheet(sheet: LabelledSheet): SeenSheet {
  if (sheet.form === 'workbook') {
    return seeRows(rowsOfWorkbook(sheet.workbook), sheet.workbook.merged.map(rangeOf))
  }
  const text = readFileSync(sheet.path, 'utf8').replace(/^\uFEFF/, '')
  const readings = DELIMITERS.map((delimiter) => ({ delimiter, rows: split(text, delimiter) }))
  const { delimiter } = weighReadings(readings)[0]!
  const { rows } = readings.find((reading) => reading.delimiter === delimiter)!
  return { delimiter, ...seeRows(rows, []) }
}

function seeRows(rows: readonly SheetRow[], merged: readonly MergedRange[]): SeenSheet {
  const table = findTable(rows.slice(0, FIRST_ROWS), merged)
  if (table === null) return { header: [], firstRow: null, columns: [] }
  const { firstRow, endWatch } = table
  for (const row of rows) if (firstRow !== null && row.line >= firstRow) endWatch.take(row)
  const { lastRow, notes } = endWatch.end()
  return {
    header: table.header,
    firstRow,
    lastRow,
    columns: table.names,
    titles: table.titles.map(({ line }) => line),
    notes: notes.map(({ line }) => line),
  }
}

function split(text: string, delimiter: string | null): SheetRow[] {
  if (delimiter === null) {
    return text.split(/\r\n|\r|\n/).map((cell, at) => ({ line: at + 1, cells: [cell] }))
  }
  const options = { delimiter, relax_quotes: true, relax_column_count: true, info: true } as const
  const records = parse(text, options) as unknown as {
    readonly record: readonly string[]
    readonly info: { readonly lines: number }
  }[]
  return records.map(({ record }, at) => ({
    line: (records[at - 1]?.info.lines ?? 0) + 1,
    cells: record,
  }))
}

function rowsOfWorkbook({ rows }: SheetCells): SheetRow[] {
  return rows.map((cells, at) => {
    const values = cells.map((cell) => (isStyled(cell) ? cell.value : cell))
    return {
      line: at + 1,
      cells: values.map((value) => (value === null ? '' : String(value))),
      kinds: values.map((value) => (typeof value === 'number' ? CellKind.number : CellKind.text)),
      isBold: cells.some((cell) => isStyled(cell) && cell.bold),
    }
  })
}

function isStyled(cell: SheetCells['rows'][number][number]) {
  return typeof cell === 'object' && cell !== null
}

function rangeOf(range: string): MergedRange {
  const [, from, first, to, last] = /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/.exec(range)!
  return {
    firstLine: Number(first),
    lastLine: Number(last),
    firstColumn: columnOf(from!),
    lastColumn: columnOf(to!),
  }
}

const columnOf = (letters: string) =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
