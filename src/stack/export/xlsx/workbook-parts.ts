import { cutText, xmlAttribute } from '../../../../pipelines/index.ts'
import { MOST_DECIMALS } from './sheet-xml.ts'

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
/** In the order by which cells name them (`sheet-xml.ts`). */
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
