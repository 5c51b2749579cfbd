import exceljs from 'exceljs'

import type { SheetCell, SheetCells } from './labelled-sheets.ts'

/** The cells of a labelled sheet as a file. */
export async function workbookOf({ rows, merged }: SheetCells): Promise<Buffer> {
  const workbook = new exceljs.Workbook()
  const sheet = workbook.addWorksheet('Feuil1')
  for (const [at, cells] of rows.entries()) {
    const row = sheet.getRow(at + 1)
    for (const [column, cell] of cells.entries()) {
      const value = valueOf(cell)
      if (value === null) continue
      row.getCell(column + 1).value = value
      if (typeof cell === 'object' && cell?.bold === true) {
        row.getCell(column + 1).font = { bold: true }
      }
    }
  }
  for (const range of merged) sheet.mergeCells(range)
  return Buffer.from(await workbook.xlsx.writeBuffer())
}

const valueOf = (cell: SheetCell) => (typeof cell === 'object' && cell !== null ? cell.value : cell)
