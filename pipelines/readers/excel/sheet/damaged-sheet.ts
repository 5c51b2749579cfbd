import { EngineError } from '../../../core/errors.ts'
import { cellPlace } from '../cells/cell-address.ts'

const CURE = 'Open it in a spreadsheet program, repair it and save it again.'

export function rowsInDisorder(sheet: string, rowNumber: number, after: number): EngineError {
  return new EngineError(
    `The workbook is damaged: in the sheet ${sheet} row ${rowNumber} stands after row ${after}. ${CURE}`,
    { kind: 'structure', line: after },
  )
}

export function strayRow(sheet: string, rowNumber: number, after: number): EngineError {
  return new EngineError(
    `The workbook is damaged: behind row ${after} of the sheet ${sheet} stands a row ${rowNumber}, which no sheet has. ${CURE}`,
    { kind: 'structure', line: after },
  )
}

export function strayCell(sheet: string, reference: string, rowNumber: number): EngineError {
  return new EngineError(
    `The workbook is damaged: in row ${rowNumber} of the sheet ${sheet} stands a cell «${reference}», which no sheet has. ${CURE}`,
    { kind: 'structure', line: rowNumber },
  )
}

export function textNotThere(sheet: string, column: number, rowNumber: number): EngineError {
  const place = cellPlace(sheet, column, rowNumber)
  return new EngineError(
    `The workbook is damaged: the cell ${place} names a text that the workbook lacks. ${CURE}`,
    { kind: 'structure', line: rowNumber, place },
  )
}
