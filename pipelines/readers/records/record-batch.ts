import type { Batch, RowFault } from '../../core/batch.ts'
import { NULL_CELL } from '../../core/batch.ts'
import type { RecordCell } from './record-cell.ts'

const FIRST_BYTES = 64 * 1024
/** UTF-8 takes at most three bytes for one UTF-16 code unit. */
const BYTES_PER_UNIT = 3

/** Writes the cells of some records, row by row, into one batch. */
export class RecordBatch {
  readonly #width: number
  readonly #start: Int32Array
  readonly #end: Int32Array
  readonly #kinds: Uint8Array
  readonly #faults: RowFault[] = []
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #length = 0

  constructor(rows: number, width: number) {
    this.#width = width
    this.#start = new Int32Array(rows * width)
    this.#end = new Int32Array(rows * width).fill(NULL_CELL)
    this.#kinds = new Uint8Array(rows * width)
  }

  get byteLength(): number {
    return this.#length
  }

  /** Answers how many bytes the cell takes. */
  put(row: number, column: number, cell: RecordCell): number {
    const at = row * this.#width + column
    this.#reserve(cell.text.length * BYTES_PER_UNIT)
    const written = this.#bytes.write(cell.text, this.#length)
    this.#start[at] = this.#length
    this.#length += written
    this.#end[at] = this.#length
    this.#kinds[at] = cell.kind
    return written
  }

  fault(row: number, message: string): void {
    if (this.#faults.at(-1)?.row !== row) this.#faults.push({ row, message })
  }

  finish(rows: number, firstRow: number): Batch {
    const cells = rows * this.#width
    return {
      bytes: this.#bytes.subarray(0, this.#length),
      start: this.#start.slice(0, cells),
      end: this.#end.slice(0, cells),
      kinds: this.#kinds.slice(0, cells),
      width: this.#width,
      rows,
      firstRow,
      lines: null,
      faults: this.#faults,
    }
  }

  #reserve(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
