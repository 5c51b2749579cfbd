import type { Workbook, Worksheet } from 'exceljs'

import {
  COLUMN_KINDS,
  type ColumnRule,
  kindOfColumnRule,
  type Message,
  type RuleScalar,
  workbooks,
} from '../../../pipelines/index.ts'
import type { FileShape, ShapeColumn } from '../../resources/shape.ts'
import { csvLine } from '../../stack/export/csv.ts'
import { shapeMessages } from './shape-messages.ts'

export const TEMPLATE_FORMATS = ['xlsx', 'csv'] as const

type Say = (message: Message) => string
type Columns = Pick<FileShape, 'columns'>

/** How many rows have formats and drop-downs. */
const ROWS = 10_000
/** Of a list that stands in the cell itself; Excel takes no longer one. */
const LONGEST_LIST = 255
/** Values of longer lists, or with signs that part lists, are in columns of a hidden sheet of this name. */
const LISTS_SHEET = '_lists'

const DATE_FORMATS = {
  'DD/MM/YYYY': 'dd/mm/yyyy',
  'MM/DD/YYYY': 'mm/dd/yyyy',
  'YYYY-MM-DD': 'yyyy-mm-dd',
  'DD-MM-YYYY': 'dd-mm-yyyy',
} as const

/** The header alone, as spreadsheets in French open it. */
export function csvTemplate({ columns }: Columns): Buffer {
  const names = columns.map(({ name }) => name)
  return Buffer.from(`\ufeff${csvLine(names, { delimiter: ';', raw: true })}`)
}

/** A workbook to fill in: header, formats by type, drop-downs, and a note for each column. */
export async function xlsxTemplate({ columns }: Columns, say: Say): Promise<Buffer> {
  const { default: ExcelWorkbook } = await workbooks()
  const book = new ExcelWorkbook()
  const sheet = book.addWorksheet(say(shapeMessages.templateSheet()), {
    views: [{ state: 'frozen', ySplit: 1 }],
  })
  sheet.columns = columns.map(({ name, type, dateFormat }) => ({
    header: name,
    width: Math.min(40, Math.max(12, name.length + 2)),
    style: { numFmt: formatOf({ type, dateFormat }) },
  }))
  for (const [at, column] of columns.entries()) {
    const cell = sheet.getRow(1).getCell(at + 1)
    cell.font = { bold: true }
    // A header is text, whatever its column is.
    cell.numFmt = '@'
    cell.note = noteOf(column, say)
    dropDown(book, sheet, sheet.getColumn(at + 1).letter, column)
  }
  return Buffer.from(await book.xlsx.writeBuffer())
}

function formatOf({ type, dateFormat }: Pick<ShapeColumn, 'type' | 'dateFormat'>): string {
  if (type === 'date') return DATE_FORMATS[dateFormat ?? 'DD/MM/YYYY']
  return type === 'text' ? '@' : 'General'
}

function noteOf({ type, description, rules }: ShapeColumn, say: Say): string {
  return [
    say(shapeMessages.templateType({ type })),
    ...(description ? [description] : []),
    ...rules.map((rule) => rule.message ?? say(wordsOf(rule))),
  ].join('\n')
}

/** What a rule asks, in words. */
export function wordsOf(rule: ColumnRule): Message {
  const kind = kindOfColumnRule(rule)
  // What is given for a kind is what its entry takes.
  return COLUMN_KINDS[kind].words(rule[kind] as never)
}

/** What the types of exceljs leave out. */
interface WithValidations {
  readonly dataValidations: { add(range: string, validation: object): void }
}

function dropDown(book: Workbook, sheet: Worksheet, letters: string, { rules }: ShapeColumn): void {
  const values = rules.find(({ oneOf }) => oneOf !== undefined)?.oneOf ?? []
  if (values.length === 0) return
  const isRequired = rules.some(({ required }) => required === true)
  const { dataValidations } = sheet as unknown as WithValidations
  dataValidations.add(`${letters}2:${letters}${ROWS}`, {
    type: 'list',
    allowBlank: !isRequired,
    formulae: [listOf(book, values)],
    showErrorMessage: true,
  })
}

/** What a drop-down refers to. */
function listOf(book: Workbook, values: readonly RuleScalar[]): string {
  const list = values.join(',')
  // Within a list, Excel takes a decimal for a text wherever people write commas.
  const isPlain = (value: RuleScalar) => !/[",]|^-?\d+\.\d+$/.test(String(value))
  const fits = list.length <= LONGEST_LIST && values.every(isPlain)
  if (fits) return `"${list}"`
  const lists =
    book.getWorksheet(LISTS_SHEET) ?? book.addWorksheet(LISTS_SHEET, { state: 'veryHidden' })
  const column = lists.getColumn(lists.columnCount + 1)
  column.values = [...values]
  return `${LISTS_SHEET}!$${column.letter}$1:$${column.letter}$${values.length}`
}
