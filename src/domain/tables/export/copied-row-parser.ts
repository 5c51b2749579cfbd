import { viewOf } from './view-of.ts'

/** Cells as text; null for NULL. */
export type TextRow = readonly (string | null)[]

/** Signature, flags and the length of an extension that no server sends. */
const HEADER_BYTES = 19
const COUNT_BYTES = 2
const LENGTH_BYTES = 4
/** In the place of a number of cells: no more rows. */
const END = -1

/** Takes what COPY sends in binary format apart, wherever the pieces are cut. */
export class CopiedRowParser {
  #pieces: Buffer[] = []
  #held = 0
  /** With fewer bytes there is nothing to be had. */
  #wanted = HEADER_BYTES
  #begun = false

  /** Of a row that is not whole yet. */
  get heldBytes(): number {
    return this.#held
  }

  /** The rows that this piece has made whole. */
  take(piece: Buffer): TextRow[] {
    const bytes = this.takeBytes(piece)
    const view = viewOf(bytes)
    const rows: TextRow[] = []
    for (let at = 0; at < bytes.length;) {
      const row: (string | null)[] = []
      at = readCells(view, at, (cell, from, length) => {
        row[cell] = length < 0 ? null : bytes.toString('utf8', from, from + length)
      })
      rows.push(row)
    }
    return rows
  }

  /** The bytes of the rows that this piece has made whole; `readCells` takes each apart. */
  takeBytes(piece: Buffer): Buffer {
    this.#pieces.push(piece)
    this.#held += piece.length
    if (this.#held < this.#wanted) return piece.subarray(0, 0)
    const bytes = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces)
    const from = this.#begun ? 0 : HEADER_BYTES
    this.#begun = true
    const to = this.#endOfRows(viewOf(bytes), from)
    const rest = bytes.subarray(to)
    this.#pieces = rest.length > 0 ? [rest] : []
    this.#held = rest.length
    return bytes.subarray(from, to)
  }

  /** Of those that are whole; how many bytes to wait for at least is known then. */
  #endOfRows(view: DataView, from: number): number {
    const { byteLength } = view
    for (let start = from; ;) {
      let at = start + COUNT_BYTES
      const cells = at > byteLength ? 0 : view.getInt16(start)
      for (let cell = 0; cell < cells; cell++) {
        at += LENGTH_BYTES
        if (at > byteLength) break
        const length = view.getInt32(at - LENGTH_BYTES)
        if (length > 0) at += length
      }
      if (at > byteLength || cells === END) {
        this.#wanted = at - start
        return start
      }
      start = at
    }
  }
}

/** Tells of each cell of a row where it begins, and its length, below 0 for NULL; gives the end of the row. */
export function readCells(
  view: DataView,
  start: number,
  read: (cell: number, from: number, length: number) => void,
): number {
  const cells = view.getInt16(start)
  let at = start + COUNT_BYTES
  for (let cell = 0; cell < cells; cell++) {
    const length = view.getInt32(at)
    at += LENGTH_BYTES
    read(cell, at, length)
    at += Math.max(0, length)
  }
  return at
}
