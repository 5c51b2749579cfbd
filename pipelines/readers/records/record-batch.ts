import type { Batch, RowFault } from '../../core/batch.ts'
import { CellKind, NULL_CELL } from '../../core/batch.ts'
import type { RecordCell } from './record-cell.ts'

const FIRST_BYTES = 64 * 1024
/** UTF-8 takes at most three bytes for one UTF-16 code unit. */
const BYTES_PER_UNIT = 3
const SHORT_UNITS = 32
const LAST_ASCII = 0x7f

/** Writes the cells of some records, row by row, into one batch. */
export class RecordBatch {
  readonly #width: number
  readonly #start: Int32Array
  readonly #end: Int32Array
  readonly #kinds: Uint8Array
  readonly #faults: RowFault[] = []
  #bytes: Buffer
  #length = 0

  /** `bytes` is a guess at what the cells will take. */
  constructor(rows: number, width: number, bytes: number) {
    this.#width = width
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, bytes))
    this.#start = new Int32Array(rows * width)
    this.#end = new Int32Array(rows * width).fill(NULL_CELL)
    this.#kinds = new Uint8Array(rows * width)
  }

  get byteLength(): number {
    return this.#length
  }

  /** Answers how many bytes the cell takes. */
  put(row: number, column: number, { text, kind }: RecordCell): number {
    this.#reserve(text.length * BYTES_PER_UNIT)
    const written = this.#bytes.write(text, this.#length)
    this.#mark(row, column, kind, written)
    return written
  }

  /**
   * Writes a short text of nothing but ASCII, which most are: letter by letter that takes less time
   * than a call that could write any. Null, and nothing is written, where it is another.
   */
  putPlain(row: number, column: number, text: string): number | null {
    const { length } = text
    if (length > SHORT_UNITS) return null
    this.#reserve(length)
    const bytes = this.#bytes
    const start = this.#length
    for (let at = 0; at < length; at++) {
      const unit = text.charCodeAt(at)
      // NUL cannot be stored, and is for others to tell.
      if (unit > LAST_ASCII || unit === 0) return null
      bytes[start + at] = unit
    }
    this.#mark(row, column, CellKind.text, length)
    return length
  }

  fault(row: number, message: string): void {
    if (this.#faults.at(-1)?.row !== row) this.#faults.push({ row, message })
  }

  finish(rows: number, firstRow: number): Batch {
    const cells = rows * this.#width
    return {
      bytes: this.#bytes.subarray(0, this.#length),
      start: this.#start.subarray(0, cells),
      end: this.#end.subarray(0, cells),
      kinds: this.#kinds.subarray(0, cells),
      width: this.#width,
      rows,
      firstRow,
      lines: null,
      faults: this.#faults,
    }
  }

  #mark(row: number, column: number, kind: CellKind, written: number): void {
    const at = row * this.#width + column
    this.#start[at] = this.#length
    this.#length += written
    this.#end[at] = this.#length
    this.#kinds[at] = kind
  }

  #reserve(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
