import { EngineError } from '../../../core/errors.ts'
import type { ReadContext } from '../../../core/reader.ts'
import { type CellRange, placeByHand, rangeByHand } from '../../sheet-options.ts'
import type { RowBlock } from '../blocks/row-block.ts'
import type { Book, BookSheet, SheetFlow } from './book.ts'
import { candidateSheets } from './choose-sheet.ts'
import type { ExcelOptions } from './excel-options.ts'
import { surveySheet } from './survey.ts'
import { type Table, tableIn } from './table-in-sheet.ts'
import { excelMessages } from '../messages/excel-messages.ts'

/** At most this many sheets are searched for one that holds a table and not just a few words. */
const MOST_LOOKED_INTO = 20
/** A sheet with so many rows needs no comparison with those behind it. */
const ENOUGH_ROWS = 200
/** A table with less than one part in so many of the largest one's cells is a legend or a list. */
const LEAST_SHARE = 10

/** The sheet that is read, and the table in it. */
export interface OpenSheet {
  readonly name: string
  readonly table: Table
  /** Whoever reads on removes blocks from the front. */
  readonly surveyed: RowBlock[]
  /** What comes after the survey. */
  readonly blocks: SheetFlow
}

/**
 * The first candidate whose table has a tenth of the cells of the largest, as far as the first rows
 * of the sheets tell; if there is no table, the first with any content.
 */
export async function openSheet(
  book: Book,
  context: ReadContext<ExcelOptions>,
): Promise<OpenSheet> {
  const { sheet: wanted } = context.options
  const candidates = candidateSheets(book.sheets, wanted)
  const seen: { readonly candidate: BookSheet; readonly cells: number }[] = []
  for (const [at, candidate] of candidates.entries()) {
    // Hidden sheets are usually lists, so they come after anything visible.
    if (seen.length > 0 && (candidate.state !== 'visible' || at >= MOST_LOOKED_INTO)) break
    const opened = await lookInto(book, candidate, context)
    if (opened === null) continue
    const cells = holdsTable(opened) ? cellsOf(opened) : 0
    const isEnough = cells > 0 && opened.table.surveyedRows >= ENOUGH_ROWS
    const isFirst = seen.every((other) => other.cells * LEAST_SHARE < cells)
    if (candidates.length === 1 || (isEnough && isFirst)) return await unlessRefused(opened)
    await opened.blocks.close()
    seen.push({ candidate, cells })
    if (isEnough) break
  }
  const largest = Math.max(0, ...seen.map(({ cells }) => cells))
  const chosen = seen.find(({ cells }) => cells * LEAST_SHARE >= largest)
  const opened = chosen === undefined ? null : await lookInto(book, chosen.candidate, context)
  if (opened !== null) return await unlessRefused(opened)
  throw noData(wanted, context.options)
}

/** A sheet that cannot be read refuses the workbook only where it is the one that is meant. */
async function unlessRefused(opened: OpenSheet): Promise<OpenSheet> {
  const { refusal } = opened.table
  if (refusal === null) return opened
  await opened.blocks.close()
  throw refusal
}

const cellsOf = ({ table: { surveyedRows, headers } }: OpenSheet) => surveyedRows * headers.length

/** Null if the sheet is empty. */
async function lookInto(
  book: Book,
  candidate: BookSheet,
  context: ReadContext<ExcelOptions>,
): Promise<OpenSheet | null> {
  const { name } = candidate
  const range = rangeByHand(context.options.range)
  const byHand = withinRange(placeByHand(context.options), range)
  const blocks = await book.openSheet(candidate)
  try {
    const survey = await surveySheet(blocks, firstOfInterest(byHand), range)
    const mostColumns = context.limits.columns
    const table = tableIn(survey, { sheet: name, byHand, range, mostColumns })
    if (table !== null) return { name, table, surveyed: survey.blocks, blocks }
  } catch (error) {
    await blocks.close()
    throw error
  }
  await blocks.close()
  return null
}

type ByHand = ReturnType<typeof placeByHand>

function withinRange(byHand: ByHand, range: CellRange | null): ByHand {
  if (range === null || range.lastRow === null) return byHand
  return { ...byHand, lastRow: Math.min(range.lastRow, byHand.lastRow ?? range.lastRow) }
}

/** What is above a named header is shown as titles, if it is near enough. */
function firstOfInterest({ headerRow, firstRow }: ByHand): number {
  const named = typeof headerRow === 'number' ? headerRow : headerRow?.[0]
  return Math.max(0, (named ?? firstRow ?? 0) - NEAR_ROWS)
}
const NEAR_ROWS = 100

/** Not a cover sheet, whose words are below each other, or next to each other in pairs. */
function holdsTable({ table }: OpenSheet): boolean {
  const { placed, headers } = table
  if (placed.firstRow === null) return false
  const isPlain = placed.evidence.header === 'first row'
  return headers.length > 2 || (headers.length === 2 && isPlain)
}

function noData(wanted: string | number | undefined, options: ExcelOptions): EngineError {
  const said = (['range', 'firstRow', 'headerRow'] as const).find(
    (name) => options[name] !== undefined && options[name] !== 0,
  )
  if (said !== undefined) {
    return new EngineError(excelMessages.nothingThere({ option: said }), {
      kind: 'options',
      pointer: `/${said}`,
    })
  }
  const text =
    wanted === undefined ? excelMessages.noData() : excelMessages.noDataInSheet({ sheet: wanted })
  return new EngineError(text, { kind: 'empty' })
}
