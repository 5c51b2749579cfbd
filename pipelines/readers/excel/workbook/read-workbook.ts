import { EngineError } from '../../../core/errors.ts'
import type { WorkbookArchive } from '../archive/open-archive.ts'
import type { DateSystem } from '../cells/serial-date.ts'
import { SHEET_STATES, type SheetState } from '../sheet/book.ts'
import { scanPart } from '../xml/scan-part.ts'
import { xmlName } from '../xml/xml-name.ts'
import { OWN_NAME, sheetOfReference } from './own-sheet.ts'
import { readRelationships } from './relationships.ts'
import { excelMessages } from '../messages/excel-messages.ts'
import { MOST_SHEETS, tooManySheets } from '../sheet/most-sheets.ts'

interface WorkbookSheet {
  readonly name: string
  readonly state: SheetState
  /** Null for a sheet without cells: a chart, a dialogue. */
  readonly part: string | null
}

export interface Workbook {
  /** In the order of the tabs, hidden ones included. */
  readonly sheets: readonly WorkbookSheet[]
  readonly dateSystem: DateSystem
  readonly stylesPart: string | null
  readonly sharedStringsPart: string | null
  /** The list of errors in a workbook that was given back; it is no sheet of its sender's. */
  readonly ownSheet: WorkbookSheet | null
  /** The part that lists the sheets. */
  readonly part: string
}

const SHEET = xmlName('sheet')
const WORKBOOK_PROPERTIES = xmlName('workbookPr')
const NAME = xmlName('name')
const STATE = xmlName('state')
const ID = xmlName('id')
const DATE_1904 = xmlName('date1904')
const DEFINED_NAME = xmlName('definedName')

export async function readWorkbook(archive: WorkbookArchive): Promise<Workbook> {
  const roots = await readRelationships(archive, '')
  const part = roots.find(({ kind }) => kind === 'officeDocument')?.part ?? 'xl/workbook.xml'
  const content = await archive.open(part)
  if (content === null) throw notAWorkbook()
  const relationships = await readRelationships(archive, part)
  const partOf = (kind: string) => relationships.find((one) => one.kind === kind)?.part ?? null
  const worksheets = new Map(
    relationships.filter(({ kind }) => kind === 'worksheet').map((one) => [one.id, one.part]),
  )
  const sheets: WorkbookSheet[] = []
  let dateSystem: DateSystem = '1900'
  let ownReference = ''
  let inOwnName = false
  await scanPart(content, {
    open(name, attributes) {
      if (name === WORKBOOK_PROPERTIES) {
        // Excel adds a second such element, for newer features, that says nothing about dates.
        const flag = attributes.text(DATE_1904)
        if (flag === '1' || flag === 'true') dateSystem = '1904'
      }
      if (name === DEFINED_NAME) inOwnName = attributes.text(NAME) === OWN_NAME
      if (name !== SHEET) return
      if (sheets.length === MOST_SHEETS) throw tooManySheets()
      const state = attributes.text(STATE)
      sheets.push({
        name: attributes.text(NAME) ?? '',
        state: SHEET_STATES.find((known) => known === state) ?? 'visible',
        part: worksheets.get(attributes.text(ID) ?? '') ?? null,
      })
    },
    close() {
      inOwnName = false
    },
    text(bytes, start, end) {
      if (inOwnName) ownReference += bytes.toString('utf8', start, end)
    },
  })
  if (sheets.length === 0) throw notAWorkbook()
  const ownName = sheetOfReference(ownReference)
  return {
    sheets: sheets.filter(({ name }) => name !== ownName),
    ownSheet: sheets.find(({ name }) => name === ownName) ?? null,
    part,
    dateSystem,
    stylesPart: partOf('styles'),
    sharedStringsPart: partOf('sharedStrings'),
  }
}

function notAWorkbook(): EngineError {
  return new EngineError(excelMessages.noSheetListed(), { kind: 'format' })
}
