import { MAX_SHEET_COLUMNS } from '../excel/cells/cell-address.ts'
import type { XmlAttributes } from '../excel/xml/xml-attributes.ts'
import { xmlName } from '../excel/xml/xml-name.ts'
import type { OdsStyles } from './ods-styles.ts'

const STYLE_NAME = xmlName('style-name')

interface CellStyle {
  /** Its name. */
  readonly written: Uint8Array
  readonly isBold: boolean
  readonly hasFixedDigits: boolean
}

export const NO_STYLE: CellStyle = {
  written: Buffer.alloc(0),
  isBold: false,
  hasFixedDigits: false,
}

/**
 * Styles of the cells of one table. A cell usually has the style of the cell above, which is
 * recognised by its bytes.
 */
export class CellStyles {
  readonly #styles: OdsStyles
  readonly #above: CellStyle[] = []

  constructor(styles: OdsStyles) {
    this.#styles = styles
  }

  /** `otherwise`: the style of a cell that names none. */
  of(attributes: XmlAttributes, column: number, otherwise: string): CellStyle {
    const named = attributes.find(STYLE_NAME)
    if (named < 0) return this.#named(otherwise)
    const above = this.#above[column]
    if (above && attributes.isWritten(named, above.written)) return above
    const style = this.#named(attributes.text(STYLE_NAME) ?? otherwise)
    // Repeat counts of empty cells may go beyond the last possible column.
    if (column < MAX_SHEET_COLUMNS) this.#above[column] = style
    return style
  }

  #named(name: string): CellStyle {
    if (name === '') return NO_STYLE
    return {
      written: Buffer.from(name),
      isBold: this.#styles.boldCells.has(name),
      hasFixedDigits: this.#styles.fixedDigits.has(name),
    }
  }
}
