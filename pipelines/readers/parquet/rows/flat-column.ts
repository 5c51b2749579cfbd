import { NULL_CELL } from '../../../core/batch.ts'
import type { ByteSink } from '../../byte-sink.ts'
import type { TopColumn } from '../file/schema-tree.ts'
import type { RawValues } from '../pages/raw-values.ts'
import { type ValueWriter, valueWriter } from '../values/value-writer.ts'
import type { Cells, TableColumn } from './table-column.ts'
import type { LeafCursor } from './leaf-cursor.ts'

/** A column with one value at most in every row. */
export class FlatColumn implements TableColumn {
  readonly name: string
  readonly stated
  notANumber = 0
  readonly #writer: ValueWriter
  readonly #leaf: number
  #cursor: LeafCursor | null = null
  /** Where a word of the dictionary stands in the batch that `#wordsOf` names. */
  #words: RawValues | null = null
  #wordStart = new Int32Array(0)
  #wordEnd = new Int32Array(0)
  #wordBatch = new Int32Array(0)
  #batch = 0

  constructor({ node, leaves }: TopColumn) {
    this.name = node.name
    this.#writer = valueWriter(leaves[0]!)
    this.#leaf = leaves[0]!.index
    this.stated = this.#writer.stated
  }

  begin(cursors: readonly LeafCursor[]): void {
    this.#cursor = cursors[this.#leaf]!
  }

  async fill(): Promise<boolean> {
    return await this.#cursor!.fill()
  }

  rowsReady(mostBytes: number): number {
    const cursor = this.#cursor!
    const rows = cursor.rowsReady
    const { start, end } = cursor.values
    if (end.length === 0 || cursor.indexes !== null) return rows
    // Values at hand are in their order, and what is between them is next to nothing.
    const from = cursor.nextValue
    if (from >= end.length) return rows
    const limit = start[from]! + mostBytes
    if (end.at(-1)! <= limit) return rows
    let within = 1
    while (from + within < end.length && end[from + within]! <= limit) within += 1
    return Math.min(rows, within)
  }

  write(cells: Cells, out: ByteSink): void {
    const cursor = this.#cursor!
    if (cursor.indexes === null) this.#writePlain(cells, out)
    else this.#writeWords(cells, out)
  }

  #writePlain({ first, step, rows, start, end, kinds }: Cells, out: ByteSink): void {
    const cursor = this.#cursor!
    const { values } = cursor
    const { kind } = this.#writer
    let cell = first
    for (let row = 0; row < rows; row++, cell += step) {
      if (!cursor.isNull) {
        const from = out.length
        if (this.#writer.write(values, cursor.nextValue, out)) {
          start[cell] = from
          end[cell] = out.length
          kinds[cell] = kind
        } else this.notANumber += 1
      }
      cursor.pass()
    }
  }

  /** Each word stands in a batch once, however many cells it fills. */
  #writeWords({ first, step, rows, start, end, kinds }: Cells, out: ByteSink): void {
    const cursor = this.#cursor!
    const { values } = cursor
    const { kind } = this.#writer
    this.#newBatch(values)
    let cell = first
    for (let row = 0; row < rows; row++, cell += step) {
      if (!cursor.isNull) {
        const word = cursor.valueAt
        if (this.#wordBatch[word] !== this.#batch) this.#writeWord(values, word, out)
        if (this.#wordEnd[word] === NULL_CELL) this.notANumber += 1
        start[cell] = this.#wordStart[word]!
        end[cell] = this.#wordEnd[word]!
        kinds[cell] = kind
      }
      cursor.pass()
    }
  }

  #newBatch(values: RawValues): void {
    this.#batch += 1
    if (this.#words === values) return
    this.#words = values
    this.#wordStart = new Int32Array(values.count)
    this.#wordEnd = new Int32Array(values.count)
    this.#wordBatch = new Int32Array(values.count)
  }

  #writeWord(values: RawValues, word: number, out: ByteSink): void {
    const from = out.length
    const isValue = this.#writer.write(values, word, out)
    this.#wordStart[word] = isValue ? from : 0
    this.#wordEnd[word] = isValue ? out.length : NULL_CELL
    this.#wordBatch[word] = this.#batch
  }
}
