import { MiB } from '../../../core/mebibyte.ts'
import { EngineError } from '../../../core/errors.ts'
import type { EngineLimits } from '../../../core/limits.ts'
import { cellPlace } from '../cells/cell-address.ts'
import { excelMessages } from '../messages/excel-messages.ts'
import type { Message } from '../../../core/message.ts'

/** Below this no limit is needed, however small the file. */
const FREE_BYTES = 64 * MiB
/** A shared string that is repeated normally expands a file some hundred times; see `expansionRatio`. */
const REPEATED_RATIO = 5

/**
 * Limits the text that comes out of a sheet. A workbook stores a text once and refers to it from a
 * million cells, so limits on its expanded parts do not cover this.
 */
export class TextBudget {
  readonly #sheet: string
  readonly #cellBytes: number
  readonly #rowBytes: number
  readonly #totalBytes: number
  #total = 0

  /** `sheet`: its name, for messages; empty if the file has no sheets. */
  constructor(sheet: string, limits: EngineLimits, archiveSize: number) {
    this.#sheet = sheet
    this.#cellBytes = limits.cellBytes
    this.#rowBytes = limits.cellBytes * 2
    const honest = archiveSize * limits.expansionRatio * REPEATED_RATIO
    this.#totalBytes = Math.min(limits.expandedBytes, Math.max(FREE_BYTES, honest))
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
    this.#total += bytes
    if (this.#total > this.#totalBytes) {
      throw new EngineError(excelMessages.expands(), { kind: 'limit', limit: 'expansionRatio' })
    }
  }
}
