import { columnLetters, cutText, xmlAttribute, xmlText } from '../../../pipelines/index.ts'
import type { StoredColumn } from '../table/stored-column.ts'

export type SheetColumn = Pick<StoredColumn, 'name' | 'sqlType'>

/** The most rows of a sheet that Excel accepts, including the header. */
export const ROWS_PER_SHEET = 1_048_576
/** The longest text of a cell that Excel accepts. */
const LONGEST_TEXT = 32_767
/** Excel rounds numbers with more digits, so they are written as text. */
const EXACT_DIGITS = 15
const DATE_STYLE = 1
const INSTANT_STYLE = 2
const HEADER_STYLE = 3
/** Of numbers without decimals; those with one, two … follow. */
const NUMBER_STYLE = 4
/** No more than a number has that is not kept as text. */
const MOST_DECIMALS = EXACT_DIGITS
const MOST_WIDTH = 60
const WIDTHS: Readonly<Record<StoredColumn['sqlType'], number>> = {
  text: 24,
  bigint: 12,
  numeric: 14,
  date: 12,
  timestamptz: 25,
  boolean: 9,
  jsonb: 40,
}
const MS_PER_DAY = 86_400_000
/** Excel's day zero; before March 1900 its calendar has a day too many. */
const DAY_ZERO_MS = Date.UTC(1899, 11, 30)
const FIRST_SOUND_DAY = 61

/** What comes before the rows: keeps the header in view and sets the column widths. */
export function sheetStart(columns: readonly SheetColumn[]): string {
  const widths = columns.map(
    (column, at) =>
      `<col min="${at + 1}" max="${at + 1}" width="${widthOf(column)}" customWidth="1"/>`,
  )
  return (
    `${XML}<worksheet xmlns="${SHEET}"><sheetViews>` +
    '<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft"' +
    ' state="frozen"/></sheetView></sheetViews>' +
    `<cols>${widths.join('')}</cols><sheetData>`
  )
}

/** In characters: wide enough for values of the type, and, within reason, for the header. */
function widthOf({ name, sqlType }: SheetColumn): number {
  return Math.min(MOST_WIDTH, Math.max(WIDTHS[sqlType], name.length + 2))
}
export const SHEET_END = '</sheetData></worksheet>'

type CellWriter = (reference: string, text: string) => string

export function sheetRowWriter(
  columns: readonly SheetColumn[],
): (row: number, texts: readonly (string | null)[]) => string {
  const letters = columns.map((_, at) => columnLetters(at))
  const writers = columns.map(cellWriter)
  return (row, texts) => {
    let xml = `<row r="${row}">`
    for (let at = 0; at < texts.length; at++) {
      const text = texts[at]
      if (text === null || text === undefined) continue
      // A rejected row may have more cells than there are columns.
      const write = writers[at] ?? textCell
      xml += write(`${letters[at] ?? columnLetters(at)}${row}`, text)
    }
    return `${xml}</row>`
  }
}

export function headerRow(columns: readonly SheetColumn[]): string {
  const cells = columns.map(({ name }, at) =>
    textCell(`${columnLetters(at)}1`, name).replace('<c ', `<c s="${HEADER_STYLE}" `),
  )
  return `<row r="1">${cells.join('')}</row>`
}

function cellWriter({ sqlType }: SheetColumn): CellWriter {
  switch (sqlType) {
    case 'bigint':
    case 'numeric':
      return numberCell
    case 'boolean':
      return (reference, text) => `<c r="${reference}" t="b"><v>${text === 'true' ? 1 : 0}</v></c>`
    case 'date':
      return (reference, text) => dayCell(reference, text, DATE_STYLE)
    case 'timestamptz':
      return (reference, text) => dayCell(reference, text, INSTANT_STYLE)
    case 'text':
    case 'jsonb':
      return textCell
  }
}

const numberCell: CellWriter = (reference, text) => {
  const digits = text.replace(/^-?0*|\.|(?<!0)0+$/g, '')
  return digits.length <= EXACT_DIGITS
    ? `<c r="${reference}" s="${NUMBER_STYLE + decimalsOf(text)}"><v>${text}</v></c>`
    : textCell(reference, text)
}

/** A cell without a format of its own shows eleven digits, and no zero at the end. */
function decimalsOf(text: string): number {
  const point = text.indexOf('.')
  return point === -1 ? 0 : Math.min(text.length - point - 1, MOST_DECIMALS)
}

function dayCell(reference: string, text: string, styled: number): string {
  const days = (Date.parse(text) - DAY_ZERO_MS) / MS_PER_DAY
  // Also false if it is not a number at all.
  return days >= FIRST_SOUND_DAY
    ? `<c r="${reference}" s="${styled}"><v>${days}</v></c>`
    : textCell(reference, text)
}

const textCell: CellWriter = (reference, text) =>
  `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${xmlText(
    cutText(text, LONGEST_TEXT),
  )}</t></is></c>`

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** All parts of a workbook except its sheets, by path. */
export function workbookParts(sheets: number, title: string): Readonly<Record<string, string>> {
  const name = (at: number) => xmlAttribute(sheetName(title, at))
  const numbers = Array.from({ length: sheets }, (_, at) => at + 1)
  const all = (write: (number: number) => string) => numbers.map(write).join('')
  return {
    '[Content_Types].xml':
      `${XML}<Types xmlns="${PACKAGE}/content-types">` +
      `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>` +
      all(
        (at) =>
          `<Override PartName="/xl/worksheets/sheet${at}.xml" ContentType="${TYPE}.worksheet+xml"/>`,
      ) +
      '</Types>',
    '_rels/.rels':
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">` +
      `<Relationship Id="rId1" Type="${DOCUMENT}/officeDocument" Target="xl/workbook.xml"/>` +
      '</Relationships>',
    'xl/workbook.xml':
      `${XML}<workbook xmlns="${SHEET}" xmlns:r="${DOCUMENT}"><sheets>` +
      all((at) => `<sheet name="${name(at)}" sheetId="${at}" r:id="rId${at}"/>`) +
      '</sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">` +
      all(
        (at) =>
          `<Relationship Id="rId${at}" Type="${DOCUMENT}/worksheet" Target="worksheets/sheet${at}.xml"/>`,
      ) +
      `<Relationship Id="rId${sheets + 1}" Type="${DOCUMENT}/styles" Target="styles.xml"/>` +
      '</Relationships>',
    'xl/styles.xml':
      `${XML}<styleSheet xmlns="${SHEET}"><numFmts count="${FORMATS.length}">` +
      FORMATS.map((code, at) => `<numFmt numFmtId="${FORMAT + at}" formatCode="${code}"/>`).join(
        '',
      ) +
      '</numFmts>' +
      `<fonts count="2">${FONT}${FONT.replace('<font>', '<font><b/>')}</fonts>` +
      '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
      '<fill><patternFill patternType="gray125"/></fill></fills>' +
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
      `<cellStyleXfs count="1">${style('')}</cellStyleXfs>` +
      `<cellXfs count="${STYLES.length}">${STYLES.join('')}</cellXfs>` +
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
      '</styleSheet>',
  }
}

const FONT = '<font><sz val="11"/><name val="Calibri"/><family val="2"/></font>'

function style(more: string, format = 0, font = 0): string {
  return `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" ${more}/>`
}

/** The number of the first format that is none of Excel's own. */
const FORMAT = 164
const OF_DATES = ['yyyy\\-mm\\-dd', 'yyyy\\-mm\\-dd hh:mm:ss.000']
const OF_NUMBERS = Array.from({ length: MOST_DECIMALS + 1 }, (_, decimals) =>
  decimals === 0 ? '0' : `0.${'0'.repeat(decimals)}`,
)
const FORMATS = [...OF_DATES, ...OF_NUMBERS]
const FORMATTED = FORMATS.map((_, at) => style('xfId="0" applyNumberFormat="1"', FORMAT + at))
/** In the order by which cells name them. */
const STYLES = [
  style('xfId="0"'),
  ...FORMATTED.slice(0, OF_DATES.length),
  style('xfId="0" applyFont="1"', 0, 1),
  ...FORMATTED.slice(OF_DATES.length),
]

/** The longest sheet name that Excel accepts. */
const LONGEST_NAME = 31

/** A name that Excel accepts: without forbidden characters, and cut; further sheets are numbered. */
function sheetName(title: string, at: number): string {
  const number = at === 1 ? '' : ` ${at}`
  const allowed = title
    .toWellFormed()
    .replaceAll(/[\\/?*:[\]\p{Cc}]/gu, ' ')
    .trim()
  const cut = cutText(allowed, LONGEST_NAME - number.length).trim()
  // An apostrophe is allowed anywhere but at the ends.
  const name = cut.replace(/^'/, '’').replace(/'$/, '’')
  return (name === '' || /^history$/i.test(name) ? 'Data' : name) + number
}
