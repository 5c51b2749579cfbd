import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

import ExcelJS from 'exceljs'

import type { TextRow } from '../../src/stack/export/copied-rows.ts'
import { writeWorkbook } from '../../src/stack/export/xlsx.ts'
import { benchedRow, WORKBOOK_COLUMNS } from '../generators/workbook.ts'
import { printMeasured } from '../support/measure.ts'

// One workbook of the same rows, written by what the first argument says, in a process of its own.
const [writer, path, rowCount] = process.argv.slice(2) as [string, string, string]
const rows = Number(rowCount)
const ROWS_AT_ONCE = 500
const HEADER_WIDTH = 24

async function writeByOurs(): Promise<void> {
  const columns = WORKBOOK_COLUMNS.map(({ header: name, sqlType }) => ({ name, sqlType }))
  const out = createWriteStream(path)
  const workbook = { columns, rowCount: rows, title: 'Clients' }
  await writeWorkbook(workbook, textRows(), out, new AbortController().signal)
  out.end()
  await finished(out)
}

async function* textRows(): AsyncGenerator<TextRow[]> {
  for (let from = 1; from <= rows; from += ROWS_AT_ONCE) {
    const count = Math.min(ROWS_AT_ONCE, rows - from + 1)
    yield Array.from({ length: count }, (_, at) => benchedRow(from + at).map(textOf))
  }
}

function textOf(value: ReturnType<typeof benchedRow>[number]): string {
  return value instanceof Date ? value.toISOString().slice(0, 10) : String(value)
}

/** With the same header, widths and formats. */
async function writeByExcelJs(): Promise<void> {
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ filename: path, useStyles: true })
  const sheet = workbook.addWorksheet('Clients', { views: [{ state: 'frozen', ySplit: 1 }] })
  sheet.columns = WORKBOOK_COLUMNS.map(({ header, sqlType }) => ({
    header,
    width: HEADER_WIDTH,
    ...(sqlType === 'date' && { style: { numFmt: 'yyyy-mm-dd' } }),
  }))
  sheet.getRow(1).font = { bold: true }
  sheet.getRow(1).commit()
  for (let row = 1; row <= rows; row++) sheet.addRow(benchedRow(row)).commit()
  await workbook.commit()
}

const began = performance.now()
await (writer === 'exceljs' ? writeByExcelJs() : writeByOurs())
printMeasured(began)
