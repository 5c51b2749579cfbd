import { viewOf } from './parquet-values.ts'

/** Cells as text; null for NULL. */
export type TextRow = readonly (string | null)[]

/** Signature, flags and the length of an extension that no server sends. */
const HEADER_BYTES = 19
/** Before the cells of a row stands how many there are, before each cell how long it is. */
export const COUNT_BYTES = 2
export const LENGTH_BYTES = 4
/** Stands in place of the number of cells when there are no more rows. */
const END = -1

/** How many bytes are joined to an incomplete row at a time, in search of its end. */
const JOINED_BYTES = 4096

/** Parses what COPY sends in binary format, wherever the pieces are cut. */
export class CopiedRowParser {
  /** The beginning of a row whose end has not arrived yet. */
  #pieces: Buffer[] = []
  #held = 0
  /** Below this number of bytes, parsing cannot go on. */
  #wanted = COUNT_BYTES
  #headerLeft = HEADER_BYTES

  /** How many bytes of an incomplete row are held. */
  get heldBytes(): number {
    return this.#held
  }

  /** The rows that this piece completes. */
  take(piece: Buffer): TextRow[] {
    const rows: TextRow[] = []
    for (const bytes of this.takeBytes(piece)) {
      const view = viewOf(bytes)
      for (let at = 0; at < bytes.length;) {
        const row: (string | null)[] = []
        at = readCells(view, at, (cell, from, length) => {
          row[cell] = length < 0 ? null : bytes.toString('utf8', from, from + length)
        })
        rows.push(row)
      }
    }
    return rows
  }

  /**
   * The bytes of the rows that this piece completes; `readCells` parses each of them. The rest is
   * copied and held.
   */
  takeBytes(sent: Buffer): readonly Buffer[] {
    const piece = sent.subarray(this.#headerLeft)
    this.#headerLeft -= sent.length - piece.length
    const before = this.#held
    this.#held += piece.length
    if (before === 0) return [this.#whole(piece)]
    if (this.#held < this.#wanted) {
      this.#pieces.push(Buffer.from(piece))
      return []
    }
    // Only the row that was cut is joined with what was held, not the whole piece.
    for (let more = Math.max(this.#wanted - before, JOINED_BYTES); ; more *= 2) {
      const joined = Buffer.concat([...this.#pieces, piece.subarray(0, more)])
      const end = this.#endOfRows(viewOf(joined))
      if (end > 0) return [joined.subarray(0, end), this.#whole(piece.subarray(end - before))]
      if (more >= piece.length) {
        this.#pieces = [joined]
        return []
      }
    }
  }

  /** The rows that are complete without what was held; holds the rest. */
  #whole(bytes: Buffer): Buffer {
    const end = this.#endOfRows(viewOf(bytes))
    this.#held = bytes.length - end
    this.#pieces = this.#held > 0 ? [Buffer.from(bytes.subarray(end))] : []
    return bytes.subarray(0, end)
  }

  /** Where the complete rows end. Also finds out how many bytes to wait for at least. */
  #endOfRows(view: DataView): number {
    const { byteLength } = view
    for (let start = 0; ;) {
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

/**
 * Passes on the start and the length of each cell of a row (below 0 for NULL); returns the end of
 * the row.
 */
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
