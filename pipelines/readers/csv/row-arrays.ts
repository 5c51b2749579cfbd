import { enlarged } from '../enlarged.ts'

/** Where rows and their cells begin and end. Grows by rows, never by cells. */
export class RowArrays {
  readonly width: number
  capacity = 0
  start = new Int32Array(0)
  end = new Int32Array(0)
  /** Where each row begins, and behind the last one where it ends. */
  rowStart = new Int32Array(1)
  /** The line on which each row begins. */
  lines = new Int32Array(0)

  constructor(width: number, capacity: number) {
    this.width = width
    this.grow(capacity)
  }

  /** Room for `rows` rows; those that are there stay. */
  grow(rows: number): void {
    this.capacity = rows
    this.start = enlarged(this.start, rows * this.width)
    this.end = enlarged(this.end, rows * this.width)
    this.rowStart = enlarged(this.rowStart, rows + 1)
    this.lines = enlarged(this.lines, rows)
  }
}

/** What rows stood in, to be used again once nobody looks at them any more. */
export interface RowMemory {
  /** Null where the rows keep their bytes for themselves. */
  readonly buffer: Buffer | null
  readonly arrays: RowArrays
}
