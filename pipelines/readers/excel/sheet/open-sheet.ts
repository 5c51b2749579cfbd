import { EngineError } from '../../../core/errors.ts'
import type { ReadContext } from '../../../core/reader.ts'
import type { ExcelOptions } from './excel-options.ts'
import type { Book, SheetFlow } from './book.ts'
import { candidateSheets } from './choose-sheet.ts'
import { findTable, type Table } from './find-table.ts'
import type { RowBlock } from '../blocks/row-block.ts'
import { surveySheet } from './survey.ts'

/** The sheet that is read, and the table in it. */
export interface OpenSheet {
  readonly name: string
  readonly table: Table
  /** Taken from the front by whoever reads on. */
  readonly surveyed: RowBlock[]
  /** What comes after the survey. */
  readonly blocks: SheetFlow
}

/** The first candidate that holds data. */
export async function openSheet(
  book: Book,
  context: ReadContext<ExcelOptions>,
): Promise<OpenSheet> {
  const { sheet: wanted, headerRow } = context.options
  for (const candidate of candidateSheets(book.sheets, wanted)) {
    const blocks = await book.openSheet(candidate)
    try {
      const survey = await surveySheet(blocks, headerRow ?? 0)
      if (survey.rows.length > 0) {
        const table = findTable(candidate.name, survey, headerRow, context.limits.columns)
        return { name: candidate.name, table, surveyed: survey.blocks, blocks }
      }
    } catch (error) {
      await blocks.close()
      throw error
    }
    await blocks.close()
  }
  throw noData(wanted, headerRow)
}

function noData(wanted: string | number | undefined, headerRow: number | undefined): EngineError {
  if (headerRow !== undefined && headerRow > 1) {
    return new EngineError(
      `There is nothing in row ${headerRow}, named as the header row, nor below.`,
      {
        kind: 'options',
        pointer: '/headerRow',
      },
    )
  }
  const where = wanted === undefined ? 'The workbook' : `The sheet ${wanted}`
  return new EngineError(`${where} holds no data.`, { kind: 'empty' })
}
