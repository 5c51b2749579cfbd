import { OWN_NAME } from '../readers/excel/workbook/own-sheet.ts'
import type { PartFlow } from '../readers/excel/archive/open-archive.ts'
import type { XmlAttributes } from '../readers/excel/xml/xml-attributes.ts'
import { scanPart } from '../readers/excel/xml/scan-part.ts'
import { xmlName } from '../readers/excel/xml/xml-name.ts'
import type { XmlHandler } from '../readers/excel/xml/xml-scanner.ts'
import { Appending, editedPart, type PartEdits, prefixOf } from './edit-part.ts'
import { xmlAttribute, xmlText } from './xml-text.ts'

const SHEETS = xmlName('sheets')
const SHEET = xmlName('sheet')
const SHEET_ID = xmlName('sheetId')
const VIEWS = xmlName('bookViews')
const VIEW = xmlName('workbookView')
const ACTIVE = xmlName('activeTab')
const FIRST = xmlName('firstSheet')
const NAMES = xmlName('definedNames')
const DEFINED_NAME = xmlName('definedName')
const LOCAL = xmlName('localSheetId')
const NAME = xmlName('name')

/** What comes after the names in the order that a workbook has to keep. */
const AFTER_NAMES: ReadonlySet<number> = new Set(
  [
    'calcPr',
    'oleSize',
    'customWorkbookViews',
    'pivotCaches',
    'smartTagPr',
    'smartTagTypes',
    'webPublishing',
    'fileRecoveryPr',
    'webPublishObjects',
    'extLst',
  ].map(xmlName),
)

interface NewSheet {
  readonly name: string
  /** Its relationship. */
  readonly id: string
  /** Of relationships. */
  readonly namespace: string
}

/**
 * The list of sheets with one more before all others. What counts sheets by their place counts on,
 * so the sheet that was in view remains it.
 */
export async function* withFirstSheet(
  openPart: () => Promise<PartFlow>,
  sheet: NewSheet,
): AsyncGenerator<Buffer> {
  let lastId = 0
  await scanPart(await openPart(), {
    open(name, attributes) {
      if (name === SHEET) lastId = Math.max(lastId, Number(attributes.text(SHEET_ID) ?? 0))
    },
    close() {},
    text() {},
  })
  yield* editedPart(await openPart(), (edits) => new WorkbookHandler(edits, sheet, lastId + 1))
}

class WorkbookHandler implements XmlHandler {
  readonly #edits: PartEdits
  readonly #sheet: NewSheet
  readonly #sheetId: number
  readonly #names: Appending
  #depth = 0
  #prefix = ''
  #hasViews = false
  #isDropped = false

  constructor(edits: PartEdits, sheet: NewSheet, sheetId: number) {
    this.#edits = edits
    this.#sheet = sheet
    this.#sheetId = sheetId
    this.#names = new Appending(edits, NAMES, () => this.#nameXml)
  }

  open(name: number, attributes: XmlAttributes): void {
    this.#depth += 1
    if (this.#depth === 1) this.#prefix = prefixOf(attributes)
    if (name === VIEWS) this.#hasViews = true
    else if (name === VIEW) {
      this.#countOn(attributes, ACTIVE, 'activeTab')
      if (attributes.find(FIRST) !== -1) this.#countOn(attributes, FIRST, 'firstSheet')
    }
    if (name === SHEETS) this.#addSheet(attributes)
    else if (name === DEFINED_NAME) this.#openName(attributes)
    else if (this.#depth === 2 && AFTER_NAMES.has(name)) this.#addNames()
    this.#names.open(name, attributes)
  }

  close(name: number): void {
    this.#depth -= 1
    if (name === DEFINED_NAME && this.#isDropped) {
      this.#edits.drop()
      this.#isDropped = false
    }
    this.#names.close(name)
    if (this.#depth === 0) this.#addNames()
  }

  text(): void {}

  #countOn(attributes: XmlAttributes, name: number, written: string): void {
    const index = Number(attributes.text(name) ?? 0)
    this.#edits.setAttribute(attributes, name, written, String(index + 1))
  }

  #addSheet(attributes: XmlAttributes): void {
    const { name, id, namespace } = this.#sheet
    const prefix = this.#prefix
    if (!this.#hasViews) {
      const views = `<${prefix}bookViews><${prefix}workbookView activeTab="1"/></${prefix}bookViews>`
      this.#edits.before(views)
    }
    this.#edits.inside(
      attributes,
      `<${prefix}sheet xmlns:r="${namespace}" name="${xmlAttribute(name)}" sheetId="${this.#sheetId}" r:id="${id}"/>`,
    )
  }

  #openName(attributes: XmlAttributes): void {
    if (attributes.text(NAME) === OWN_NAME) {
      // Its sheet was deleted.
      this.#edits.hold()
      this.#isDropped = true
    } else if (attributes.find(LOCAL) !== -1) {
      this.#countOn(attributes, LOCAL, 'localSheetId')
    }
  }

  #addNames(): void {
    if (this.#names.isFound) return
    this.#names.isFound = true
    this.#edits.before(
      `<${this.#prefix}definedNames>${this.#nameXml}</${this.#prefix}definedNames>`,
    )
  }

  get #nameXml(): string {
    const sheet = xmlText(this.#sheet.name.replaceAll("'", "''"))
    return `<${this.#prefix}definedName name="${OWN_NAME}" hidden="1">'${sheet}'!$A$1</${this.#prefix}definedName>`
  }
}
