import { zip, type ZipEntry } from './zip-writer.ts'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'

export interface RawSheet {
  readonly name?: string
  readonly state?: 'visible' | 'hidden' | 'veryHidden'
  /** What stands in `<sheetData>`. */
  readonly rows?: string
  /** The whole part, instead of `rows`. */
  readonly xml?: string | Buffer
}

export interface RawWorkbook {
  readonly sheets: readonly RawSheet[]
  /** What stands in `<sst>`; there is no such part without it. */
  readonly sharedStrings?: string
  /** Number format of each cell style: an id, or a code of one's own. */
  readonly formats?: readonly (number | string)[]
  readonly date1904?: boolean
  /** Come after the others. */
  readonly more?: readonly ZipEntry[]
}

/** A workbook from XML written by hand, for what no library would write. */
export function rawWorkbook(workbook: RawWorkbook): Buffer {
  return zip(rawEntries(workbook))
}

export function rawEntries(workbook: RawWorkbook): ZipEntry[] {
  const { sheets, sharedStrings, formats = [], date1904 = false, more = [] } = workbook
  const entries: ZipEntry[] = [
    {
      name: '_rels/.rels',
      content: `<Relationships xmlns="${PACKAGE}"><Relationship Id="r" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr${date1904 ? ' date1904="1"' : ''}/><sheets>${sheets
        .map(
          ({ name, state }, index) =>
            `<sheet name="${name ?? `Feuil${index + 1}`}" sheetId="${index + 1}"${state ? ` state="${state}"` : ''} r:id="rId${index + 1}"/>`,
        )
        .join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships xmlns="${PACKAGE}">${sheets
        .map(
          (_, index) =>
            `<Relationship Id="rId${index + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
        )
        .join(
          '',
        )}<Relationship Id="st" Type="${OFFICE}/styles" Target="styles.xml"/><Relationship Id="ss" Type="${OFFICE}/sharedStrings" Target="/xl/sharedStrings.xml"/></Relationships>`,
    },
    { name: 'xl/styles.xml', content: stylesXml(formats) },
    ...sheets.map((sheet, index) => ({
      name: `xl/worksheets/sheet${index + 1}.xml`,
      content: sheet.xml ?? sheetXml(sheet.rows ?? ''),
    })),
  ]
  if (sharedStrings !== undefined) {
    entries.push({
      name: 'xl/sharedStrings.xml',
      content: `<sst xmlns="${MAIN}">${sharedStrings}</sst>`,
    })
  }
  return [...entries, ...more]
}

export function sheetXml(rows: string, after = ''): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData>${after}</worksheet>`
}

/** A row of inline texts, as a header mostly is. */
export function textRow(...texts: readonly string[]): string {
  return `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`
}

function stylesXml(formats: readonly (number | string)[]): string {
  const custom = formats
    .map((format, index) =>
      typeof format === 'string'
        ? `<numFmt numFmtId="${200 + index}" formatCode="${escaped(format)}"/>`
        : '',
    )
    .join('')
  const styles = formats
    .map((format, index) => `<xf numFmtId="${typeof format === 'string' ? 200 + index : format}"/>`)
    .join('')
  return `<styleSheet xmlns="${MAIN}"><numFmts>${custom}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles}</cellXfs></styleSheet>`
}

function escaped(code: string): string {
  return code.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
