import { EngineError } from '../../../core/errors.ts'
import type { ExpansionBudget } from '../../../core/expansion-budget.ts'
import type { ReadContext } from '../../../core/reader.ts'
import { cellPlace } from '../cells/cell-address.ts'
import { excelMessages } from '../messages/excel-messages.ts'
import type { Message } from '../../../core/message.ts'

/**
 * Limits the text that comes out of a sheet. A workbook stores a text once and refers to it from a
 * million cells, so limits on its expanded parts do not cover this.
 */
export class TextBudget {
  readonly #sheet: string
  readonly #cellBytes: number
  readonly #rowBytes: number
  readonly #expansion: ExpansionBudget

  /** `sheet`: its name, for messages; empty if the file has no sheets. */
  constructor(sheet: string, { limits, expansion }: ReadContext) {
    this.#sheet = sheet
    this.#cellBytes = limits.cellBytes
    this.#rowBytes = limits.cellBytes * 2
    this.#expansion = expansion
  }

  checkCell(bytes: number, column: number, rowNumber: number): void {
    if (bytes <= this.#cellBytes) return
    const place = cellPlace(this.#sheet, column, rowNumber)
    throw new EngineError(excelMessages.longCell({ place, most: this.#cellBytes }), {
      kind: 'limit',
      limit: 'cellBytes',
      line: rowNumber,
      place,
    })
  }

  checkRow(bytes: number, rowNumber: number): void {
    if (bytes <= this.#rowBytes) return
    throw new EngineError(this.#longRow(rowNumber), {
      kind: 'limit',
      limit: 'cellBytes',
      line: rowNumber,
    })
  }

  #longRow(row: number): Message {
    const [sheet, most] = [this.#sheet, this.#rowBytes]
    return sheet === ''
      ? excelMessages.longLine({ line: row, most })
      : excelMessages.longRow({ row, sheet, most })
  }

  countRow(bytes: number): void {
    this.#expansion.count(bytes)
  }
}
