import { type DigitPattern, digitPattern } from '../excel/formats/digit-pattern.ts'
import type { XmlAttributes } from '../excel/xml/xml-attributes.ts'
import { xmlName } from '../excel/xml/xml-name.ts'
import type { XmlHandler } from '../excel/xml/xml-scanner.ts'
import { MOST_SHEETS, tooManySheets } from '../excel/sheet/most-sheets.ts'

const MOST_STYLES = 1_000_000

const WORKSHEET = xmlName('Worksheet')
const VISIBLE = xmlName('Visible')
const STYLE = xmlName('Style')
const FONT = xmlName('Font')
const NAME = xmlName('Name')
const ID = xmlName('ID')
const BOLD = xmlName('Bold')
const NUMBER_FORMAT = xmlName('NumberFormat')
const FORMAT = xmlName('Format')

export interface XmlStyles {
  readonly bold: ReadonlySet<string>
  readonly digits: ReadonlyMap<string, DigitPattern>
}

/** The names of the sheets, whether they are visible, and what styles say that matters to data. */
export class SheetListHandler implements XmlHandler {
  readonly sheets: { readonly name: string; isHidden: boolean }[] = []
  readonly styles = { bold: new Set<string>(), digits: new Map<string, DigitPattern>() }
  #style = ''
  #inVisible = false

  open(name: number, attributes: XmlAttributes): void {
    if (name === WORKSHEET) {
      if (this.sheets.length === MOST_SHEETS) throw tooManySheets()
      this.sheets.push({ name: attributes.text(NAME) ?? '', isHidden: false })
    } else if (name === VISIBLE) this.#inVisible = true
    else if (name === STYLE) this.#style = attributes.text(ID) ?? ''
    else if (name === FONT && attributes.text(BOLD) === '1') {
      if (this.styles.bold.size < MOST_STYLES) this.styles.bold.add(this.#style)
    } else if (name === NUMBER_FORMAT && this.styles.digits.size < MOST_STYLES) {
      const pattern = digitPattern(attributes.text(FORMAT) ?? '')
      if (pattern !== null) this.styles.digits.set(this.#style, pattern)
    }
  }

  close(name: number): void {
    if (name === VISIBLE) this.#inVisible = false
  }

  text(bytes: Buffer, start: number, end: number): void {
    const sheet = this.sheets.at(-1)
    if (!this.#inVisible || sheet === undefined) return
    sheet.isHidden ||= bytes.toString('latin1', start, end).includes('Hidden')
  }
}
