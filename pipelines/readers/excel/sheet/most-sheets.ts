import { EngineError } from '../../../core/errors.ts'
import { excelMessages } from '../messages/excel-messages.ts'

/** No real workbook has more sheets than this, and their names would fill the memory. */
export const MOST_SHEETS = 10_000

export const tooManySheets = (): EngineError =>
  new EngineError(excelMessages.manySheets({ most: MOST_SHEETS }), {
    kind: 'limit',
    limit: 'sheets',
  })
