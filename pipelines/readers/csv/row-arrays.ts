import { enlarged } from '../enlarged.ts'

/** Where rows and their cells begin and end. Grows by rows, never by cells. */
export class RowArrays {
  readonly width: number
  capacity = 0
  start = new Int32Array(0)
  end = new Int32Array(0)
  /** Where each row begins, followed by the end of the last one. */
  rowStart = new Int32Array(1)
  /** The line on which each row begins. */
  lines = new Int32Array(0)

  constructor(width: number, capacity: number) {
    this.width = width
    this.grow(capacity)
  }

  /** Makes room for `rows` rows; existing ones stay. */
  grow(rows: number): void {
    this.capacity = rows
    this.start = enlarged(this.start, rows * this.width)
    this.end = enlarged(this.end, rows * this.width)
    this.rowStart = enlarged(this.rowStart, rows + 1)
    this.lines = enlarged(this.lines, rows)
  }
}

/** The memory of rows, to be reused once nobody needs them any more. */
export interface RowMemory {
  /** Null if the rows keep their bytes. */
  readonly buffer: Buffer | null
  readonly arrays: RowArrays
}
