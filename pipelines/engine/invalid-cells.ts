import { type CellError, CELL_ERRORS_SHOWN, EngineError } from '../core/errors.ts'
import { cellMessages } from '../cells/cell-messages.ts'
import type { DecidedColumn } from './decide-columns.ts'

/** Invalid cells: the first ones individually, and the number of all. */
export class InvalidCells {
  readonly shown: CellError[] = []
  total = 0

  add(error: CellError): void {
    this.total++
    if (this.shown.length < CELL_ERRORS_SHOWN) this.shown.push(error)
  }

  /**
   * Under `reject`, one invalid cell stops the load; by now all of them have been counted. If a
   * pattern would have read the column, the refusal names it, since there will be no report.
   */
  refuse(columns: readonly DecidedColumn[]): void {
    const [first] = this.shown
    if (first === undefined) return
    const { shown: errors, total } = this
    const { message, column: name } = first
    const refusal = total === 1 ? message : cellMessages.andMore({ first: message, total })
    const pattern = columns.find((column) => column.name === name)?.evidence.fittingPattern
    const text =
      pattern === undefined ? refusal : cellMessages.patternWouldFit({ refusal, name, pattern })
    throw new EngineError(text, { kind: 'cells', errors, total })
  }
}
