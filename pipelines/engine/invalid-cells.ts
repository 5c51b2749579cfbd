import { type CellError, EngineError, type RuleCount } from '../core/errors.ts'
import type { Remedy } from '../core/remedy.ts'
import { cellMessages } from '../cells/cell-messages.ts'
import type { DecidedColumn } from './decide-table.ts'
import { cellRemedies, type RefusedCells } from './cell-remedies.ts'

/** Of so many different values of a column it is known how often they occur. */
const MOST_VALUES = 500

type Asked = Pick<RefusedCells, 'options' | 'isNew'>

/** Invalid cells: the first ones individually, and the number of all. */
export class InvalidCells {
  readonly shown: CellError[] = []
  total = 0
  readonly #most: number
  #rows = 0
  #lastRow = 0
  readonly #byColumn = new Map<string, Map<string, number>>()

  /** `most`: how many are kept one by one. */
  constructor(most: number) {
    this.#most = most
  }

  add(error: CellError): void {
    this.total++
    if (error.row !== this.#lastRow) this.#rows++
    this.#lastRow = error.row
    // Another type mends nothing that breaks a rule.
    if (error.rule === undefined) this.#count(error)
    if (this.shown.length < this.#most) this.shown.push(error)
  }

  /** Options that would let the rows load. */
  remedies(columns: readonly DecidedColumn[], asked: Asked): readonly Remedy[] {
    if (this.total === 0) return []
    const invalid = { byColumn: this.#byColumn, cells: this.total, rows: this.#rows }
    return cellRemedies({ invalid, columns, ...asked })
  }

  /**
   * Under `reject`, one invalid cell stops the load; by now all of them have been counted. If a
   * pattern would have read the column, the refusal names it, since there will be no report.
   */
  refuse(
    columns: readonly DecidedColumn[],
    { byRule, ...asked }: Asked & { readonly byRule: readonly RuleCount[] },
  ): void {
    const [first] = this.shown
    if (first === undefined) return
    const { shown: errors, total } = this
    const { message, column: name, rule } = first
    const refusal = total === 1 ? message : cellMessages.andMore({ first: message, total })
    const pattern = columns.find((column) => column.name === name)?.evidence.fittingPattern
    const text =
      pattern === undefined || rule !== undefined
        ? refusal
        : cellMessages.patternWouldFit({ refusal, name, pattern })
    const remedies = this.remedies(columns, asked)
    throw new EngineError(text, { kind: 'cells', errors, total, byRule }, { remedies })
  }

  #count({ column, value }: CellError): void {
    let values = this.#byColumn.get(column)
    if (values === undefined) this.#byColumn.set(column, (values = new Map()))
    const known = values.get(value)
    if (known !== undefined || values.size < MOST_VALUES) values.set(value, (known ?? 0) + 1)
  }
}
