import { EngineError } from '../../../core/errors.ts'
import type { WorkbookArchive } from '../archive/open-archive.ts'
import type { DateSystem } from '../cells/serial-date.ts'
import { SHEET_STATES, type SheetState } from '../sheet/book.ts'
import { scanPart } from '../xml/scan-part.ts'
import { xmlName } from '../xml/xml-name.ts'
import { readRelationships } from './relationships.ts'
import { excelMessages } from '../messages/excel-messages.ts'
import { MOST_SHEETS, tooManySheets } from '../sheet/most-sheets.ts'

interface WorkbookSheet {
  readonly name: string
  readonly state: SheetState
  /** Null for a sheet without cells: a chart, a dialogue. */
  readonly part: string | null
}

interface Workbook {
  /** In the order of the tabs, hidden ones included. */
  readonly sheets: readonly WorkbookSheet[]
  readonly dateSystem: DateSystem
  readonly stylesPart: string | null
  readonly sharedStringsPart: string | null
}

const SHEET = xmlName('sheet')
const WORKBOOK_PROPERTIES = xmlName('workbookPr')
const NAME = xmlName('name')
const STATE = xmlName('state')
const ID = xmlName('id')
const DATE_1904 = xmlName('date1904')

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
  await scanPart(content, {
    open(name, attributes) {
      if (name === WORKBOOK_PROPERTIES) {
        // Excel adds a second such element, for newer features, that says nothing about dates.
        const flag = attributes.text(DATE_1904)
        if (flag === '1' || flag === 'true') dateSystem = '1904'
      }
      if (name !== SHEET) return
      if (sheets.length === MOST_SHEETS) throw tooManySheets()
      const state = attributes.text(STATE)
      sheets.push({
        name: attributes.text(NAME) ?? '',
        state: SHEET_STATES.find((known) => known === state) ?? 'visible',
        part: worksheets.get(attributes.text(ID) ?? '') ?? null,
      })
    },
    close() {},
    text() {},
  })
  if (sheets.length === 0) throw notAWorkbook()
  return {
    sheets,
    dateSystem,
    stylesPart: partOf('styles'),
    sharedStringsPart: partOf('sharedStrings'),
  }
}

function notAWorkbook(): EngineError {
  return new EngineError(excelMessages.noSheetListed(), { kind: 'format' })
}
