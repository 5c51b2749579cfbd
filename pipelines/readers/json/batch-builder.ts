import type { Batch, CellKind, RowFault } from '../../core/batch.ts'
import { NULL_CELL } from '../../core/batch.ts'
import { enlarged } from '../enlarged.ts'
import { type BatchMemory, SpareMemory } from './batch-memory.ts'
import { ByteSink } from '../byte-sink.ts'
import type { CellSink } from './cell-sink.ts'
import type { Message } from '../../core/message.ts'

/** Added to the position of a cell in `made`, until it is known where the new bytes will be. */
const MADE = 0x4000_0000
const FIRST_ROWS = 1024

export interface JsonBatch extends Batch {
  /** Where every row begins and ends in the bytes: the text as the input wrote it. */
  readonly rowStart: Int32Array
  readonly rowEnd: Int32Array
  readonly memory: BatchMemory
}

/**
 * Collects cells for one batch after another. A batch's bytes are the text of its rows, followed
 * by values that had to be rewritten; most cells are ranges of the former and are not copied.
 * Arrays are kept between batches; a batch gets copies of the used parts, in returned memory if
 * there is any.
 */
export class BatchBuilder implements CellSink {
  readonly made = new ByteSink()
  rows = 0
  /** The number of columns of the current batch. */
  width = 0
  /** The position in the window that is 0 in the batch. */
  base = 0
  #start = new Int32Array(0)
  #end = new Int32Array(0)
  #kinds = new Uint8Array(0)
  #anyKind = false
  #rowStart = new Int32Array(FIRST_ROWS)
  #rowEnd = new Int32Array(FIRST_ROWS)
  #lines = new Int32Array(FIRST_ROWS)
  #madeCells = new Int32Array(FIRST_ROWS)
  #madeCount = 0
  #faults: RowFault[] = []
  /** The state that `dropRow` goes back to. */
  #madeLengthBefore = 0
  #madeCountBefore = 0
  #faultsBefore = 0
  readonly #spare = new SpareMemory()

  begin(base: number, width: number): void {
    this.#end.fill(NULL_CELL)
    this.#kinds.fill(0)
    this.#anyKind = false
    this.#madeCount = 0
    this.#faults = []
    this.made.length = 0
    this.rows = 0
    this.base = base
    this.width = width
    this.#keep()
  }

  get cells(): number {
    return this.rows * this.width
  }

  beginRow(at: number, line: number): void {
    const { rows } = this
    if (rows === this.#rowStart.length) this.#growRows()
    this.#reserveCells((rows + 1) * this.width)
    this.#rowStart[rows] = at - this.base
    this.#lines[rows] = line
  }

  endRow(at: number): void {
    this.#rowEnd[this.rows] = at - this.base
    this.rows += 1
    this.#keep()
  }

  /**
   * Forgets what the current row has written so far, if one has begun: the input may end between
   * two rows. Its cells come after all others.
   */
  dropRow(): void {
    const from = this.rows * this.width
    this.#end.fill(NULL_CELL, from)
    this.#kinds.fill(0, from)
    this.made.length = this.#madeLengthBefore
    this.#madeCount = this.#madeCountBefore
    this.#faults.length = this.#faultsBefore
  }

  /** Otherwise the stride of complete rows would be wrong. */
  get takesNewKeys(): boolean {
    return this.rows === 0
  }

  widen(width: number): void {
    this.width = width
    this.#reserveCells(width)
  }

  found(column: number, from: number, to: number, kind: CellKind): void {
    const cell = this.rows * this.width + column
    this.#start[cell] = from - this.base
    this.#end[cell] = to - this.base
    this.#mark(cell, kind)
  }

  finished(column: number, from: number, kind: CellKind): void {
    const cell = this.rows * this.width + column
    this.#start[cell] = MADE + from
    this.#end[cell] = MADE + this.made.length
    if (this.#madeCount === this.#madeCells.length) {
      this.#madeCells = enlarged(this.#madeCells, 2 * this.#madeCount)
    }
    this.#madeCells[this.#madeCount] = cell
    this.#madeCount += 1
    this.#mark(cell, kind)
  }

  empty(column: number): void {
    const cell = this.rows * this.width + column
    this.#end[cell] = NULL_CELL
    this.#kinds[cell] = 0
  }

  fault(message: Message): void {
    if (this.#faults.length > this.#faultsBefore) return
    this.#faults.push({ row: this.rows, message })
  }

  finish(window: Buffer, end: number, firstRow: number): JsonBatch {
    const { base, made, rows, width } = this
    const readLength = end - base
    const cells = rows * width
    const size = { bytes: readLength + made.length, cells, rows }
    const memory = this.#spare.takeFor(size)
    window.copy(memory.bytes, 0, base, end)
    made.bytes.copy(memory.bytes, readLength, 0, made.length)
    this.#placeMadeCells(readLength)
    return {
      bytes: memory.bytes.subarray(0, size.bytes),
      start: copied(this.#start, memory.start, cells),
      end: copied(this.#end, memory.end, cells),
      kinds: this.#anyKind ? copied(this.#kinds, memory.kinds, cells) : null,
      width,
      rows,
      firstRow,
      lines: copied(this.#lines, memory.lines, rows),
      faults: this.#faults,
      rowStart: copied(this.#rowStart, memory.rowStart, rows),
      rowEnd: copied(this.#rowEnd, memory.rowEnd, rows),
      memory,
    }
  }

  /** Takes back a batch that is no longer needed, so that a later one can use its memory. */
  recycle({ memory }: JsonBatch): void {
    this.#spare.keep(memory)
  }

  /** From here on a row can be dropped. */
  #keep(): void {
    this.#madeLengthBefore = this.made.length
    this.#madeCountBefore = this.#madeCount
    this.#faultsBefore = this.#faults.length
  }

  #placeMadeCells(at: number): void {
    const start = this.#start
    const end = this.#end
    for (let made = 0; made < this.#madeCount; made += 1) {
      const cell = this.#madeCells[made]!
      // A duplicate key may have replaced the cell since, or listed it twice.
      if (end[cell]! < MADE) continue
      start[cell] = start[cell]! - MADE + at
      end[cell] = end[cell]! - MADE + at
    }
  }

  #mark(cell: number, kind: CellKind): void {
    this.#kinds[cell] = kind
    if (kind !== 0) this.#anyKind = true
  }

  #reserveCells(count: number): void {
    const before = this.#end.length
    if (count <= before) return
    const capacity = Math.max(count, 2 * before, FIRST_ROWS)
    this.#start = enlarged(this.#start, capacity)
    this.#end = enlarged(this.#end, capacity).fill(NULL_CELL, before)
    const kinds = new Uint8Array(capacity)
    kinds.set(this.#kinds)
    this.#kinds = kinds
  }

  #growRows(): void {
    const capacity = 2 * this.#rowStart.length
    this.#rowStart = enlarged(this.#rowStart, capacity)
    this.#rowEnd = enlarged(this.#rowEnd, capacity)
    this.#lines = enlarged(this.#lines, capacity)
  }
}

function copied<T extends Int32Array | Uint8Array>(from: T, to: T, length: number): T {
  to.set(from.subarray(0, length))
  return to.subarray(0, length) as T
}
