import { type CellError, CELL_ERRORS_SHOWN, EngineError } from '../core/errors.ts'

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
    const others = this.total === 1 ? '' : ` (${this.total} cellules invalides en tout)`
    const { shown: errors, total } = this
    throw new EngineError(`${first.message}${others}`, { kind: 'cells', errors, total })
  }
}
