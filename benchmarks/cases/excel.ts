import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import ExcelJS from 'exceljs'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

import { WORKBOOK_COLUMNS, writeWorkbook } from '../generators/workbook.ts'
import type { Contest, Ground } from '../support/contest.ts'

/** One workbook loaded into typed columns, end to end, by the engine and by exceljs's streaming reader. */
export const excelCase: Contest = {
  name: 'excel',
  rows: 200_000,
  mostRows: 1_000_000,
  timesAsFast: 3,
  peakMiB: 220,
  caveats: [
    'A sheet holds 1,048,576 rows: ten times the rows are a million beside a hundred thousand.',
  ],
  prepare: async (folder: string, rows: number): Promise<string> => {
    const path = join(folder, `clients-${rows}.xlsx`)
    await writeWorkbook(path, rows, { sharedStrings: true })
    return path
  },
  rival: { name: 'exceljs streaming reader', run: loadWithExcelJs },
}

/** What one would write by hand: its rows as CSV into one COPY. */
async function loadWithExcelJs(path: string, ground: Ground): Promise<number> {
  const client = new Client({ connectionString: ground.databaseUrl })
  await client.connect()
  try {
    const columns = WORKBOOK_COLUMNS.map(({ sqlType }, index) => `c${index} ${sqlType}`)
    await client.query(`drop table if exists excel_exceljs`)
    await client.query(`create table public.excel_exceljs (${columns.join(', ')})`)
    const copy = client.query(copyFrom('copy excel_exceljs from stdin (format csv)'))
    await pipeline(Readable.from(csvLines(path)), copy, { signal: ground.signal })
    return copy.rowCount
  } finally {
    await client.end()
  }
}

async function* csvLines(path: string): AsyncGenerator<string> {
  const workbook = new ExcelJS.stream.xlsx.WorkbookReader(path, {
    sharedStrings: 'cache',
    styles: 'cache',
    worksheets: 'emit',
  })
  for await (const sheet of workbook) {
    let isHeader = true
    for await (const row of sheet) {
      if (!isHeader) {
        const cells = WORKBOOK_COLUMNS.map((_, index) => csvField(row.getCell(index + 1).value))
        yield `${cells.join(',')}\n`
      }
      isHeader = false
    }
  }
}

function csvField(value: ExcelJS.CellValue): string {
  if (value === null || value === undefined) return ''
  const text = value instanceof Date ? value.toISOString().slice(0, 10) : plainText(value)
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function plainText(value: Exclude<ExcelJS.CellValue, Date>): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
