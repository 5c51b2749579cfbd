import { type CellError, CELL_ERRORS_SHOWN, EngineError } from '../core/errors.ts'
import { cellMessages } from '../cells/cell-messages.ts'
import type { DecidedColumn } from './decide-columns.ts'
import { cellRemedies, type RefusedCells } from './cell-remedies.ts'

/** Of so many different values of a column it is known how often they occur. */
const MOST_VALUES = 500

/** Invalid cells: the first ones individually, and the number of all. */
export class InvalidCells {
  readonly shown: CellError[] = []
  total = 0
  #rows = 0
  #lastRow = 0
  readonly #byColumn = new Map<string, Map<string, number>>()

  add(error: CellError): void {
    this.total++
    if (error.row !== this.#lastRow) this.#rows++
    this.#lastRow = error.row
    this.#count(error)
    if (this.shown.length < CELL_ERRORS_SHOWN) this.shown.push(error)
  }

  /**
   * Under `reject`, one invalid cell stops the load; by now all of them have been counted. If a
   * pattern would have read the column, the refusal names it, since there will be no report.
   */
  refuse(
    columns: readonly DecidedColumn[],
    request: Pick<RefusedCells, 'options' | 'isNew'>,
  ): void {
    const [first] = this.shown
    if (first === undefined) return
    const { shown: errors, total } = this
    const { message, column: name } = first
    const refusal = total === 1 ? message : cellMessages.andMore({ first: message, total })
    const pattern = columns.find((column) => column.name === name)?.evidence.fittingPattern
    const text =
      pattern === undefined ? refusal : cellMessages.patternWouldFit({ refusal, name, pattern })
    const invalid = { byColumn: this.#byColumn, cells: total, rows: this.#rows }
    const remedies = cellRemedies({ invalid, columns, ...request })
    throw new EngineError(text, { kind: 'cells', errors, total }, { remedies })
  }

  #count({ column, value }: CellError): void {
    let values = this.#byColumn.get(column)
    if (values === undefined) this.#byColumn.set(column, (values = new Map()))
    const known = values.get(value)
    if (known !== undefined || values.size < MOST_VALUES) values.set(value, (known ?? 0) + 1)
  }
}
