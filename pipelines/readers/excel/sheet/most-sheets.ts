import { EngineError } from '../../../core/errors.ts'
import { excelMessages } from '../messages/excel-messages.ts'

/** More sheets than this are no workbook that people use, and their names would fill the memory. */
export const MOST_SHEETS = 10_000

export const tooManySheets = (): EngineError =>
  new EngineError(excelMessages.manySheets({ most: MOST_SHEETS }), {
    kind: 'limit',
    limit: 'sheets',
  })
