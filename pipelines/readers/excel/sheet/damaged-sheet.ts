import { EngineError } from '../../../core/errors.ts'
import type { Message } from '../../../core/message.ts'
import { cellPlace } from '../cells/cell-address.ts'
import { excelMessages } from '../messages/excel-messages.ts'

export function rowsInDisorder(sheet: string, row: number, after: number): EngineError {
  return damaged(excelMessages.rowsInDisorder({ sheet, row, after }), { line: after })
}

export function strayRow(sheet: string, row: number, after: number): EngineError {
  return damaged(excelMessages.strayRow({ sheet, row, after }), { line: after })
}

export function strayCell(sheet: string, reference: string, row: number): EngineError {
  return damaged(excelMessages.strayCell({ sheet, row, reference }), { line: row })
}

export function textNotThere(sheet: string, column: number, row: number): EngineError {
  const place = cellPlace(sheet, column, row)
  return damaged(excelMessages.textMissing({ place }), { line: row, place })
}

const damaged = (fault: Message, at: { readonly line: number; readonly place?: string }) =>
  new EngineError(excelMessages.damaged({ fault }), { kind: 'structure', ...at })
