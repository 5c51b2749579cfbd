import { EngineError } from '../../../core/errors.ts'
import type { ReadContext } from '../../../core/reader.ts'
import type { ExcelOptions } from './excel-options.ts'
import type { OpenWorkbook } from '../workbook/open-workbook.ts'
import { candidateSheets, type SheetWithCells } from './choose-sheet.ts'
import { findTable, type Table } from './find-table.ts'
import type { RowBlock } from '../blocks/row-block.ts'
import { SheetBlocks } from './sheet-blocks.ts'
import { surveySheet } from './survey.ts'
import { TextBudget } from './text-budget.ts'

/** The sheet that is read, and the table in it. */
export interface OpenSheet {
  readonly name: string
  readonly table: Table
  /** Taken from the front by whoever reads on. */
  readonly surveyed: RowBlock[]
  /** What comes after the survey. */
  readonly blocks: SheetBlocks
}

/** The first candidate that holds data. */
export async function openSheet(
  workbook: OpenWorkbook,
  context: ReadContext<ExcelOptions>,
): Promise<OpenSheet> {
  const { sheet: wanted, headerRow } = context.options
  for (const candidate of candidateSheets(workbook.workbook, wanted)) {
    const blocks = await openBlocks(workbook, candidate, context)
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

async function openBlocks(
  { archive, cells }: OpenWorkbook,
  { name, part }: SheetWithCells,
  { limits, signal }: ReadContext,
): Promise<SheetBlocks> {
  const content = await archive.open(part)
  if (content === null) {
    throw new EngineError(
      `The workbook is damaged: it lacks the sheet ${name} (${part}). Open it in a spreadsheet program, repair it and save it again.`,
      { kind: 'structure' },
    )
  }
  return new SheetBlocks(content, name, cells, new TextBudget(name, limits, archive.size), signal)
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
