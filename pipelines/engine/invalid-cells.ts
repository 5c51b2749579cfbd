import { type CellError, CELL_ERRORS_SHOWN, EngineError } from '../core/errors.ts'
import { cellMessages } from '../cells/cell-messages.ts'

/** Invalid cells: the first of them one by one, all of them in number. */
export class InvalidCells {
  readonly shown: CellError[] = []
  total = 0

  add(error: CellError): void {
    this.total++
    if (this.shown.length < CELL_ERRORS_SHOWN) this.shown.push(error)
  }

  /** Under `reject` one invalid cell stops the load; by now all of them have been counted. */
  refuse(): void {
    const [first] = this.shown
    if (first === undefined) return
    const { shown: errors, total } = this
    const text = total === 1 ? first.message : cellMessages.andMore({ first: first.message, total })
    throw new EngineError(text, { kind: 'cells', errors, total })
  }
}
