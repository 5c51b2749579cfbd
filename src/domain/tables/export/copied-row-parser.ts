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
    const rows: TextRow[] = []
    for (let at = 0; at < bytes.length;) {
      const row: (string | null)[] = []
      at = readCells(bytes, at, (cell, from, length) => {
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
    let to = from
    for (let end = this.#endOfRow(bytes, to); end !== null; end = this.#endOfRow(bytes, to))
      to = end
    const rest = bytes.subarray(to)
    this.#pieces = rest.length > 0 ? [rest] : []
    this.#held = rest.length
    return bytes.subarray(from, to)
  }

  /** Null where it is not there yet; then it is known how many bytes to wait for at least. */
  #endOfRow(bytes: Buffer, start: number): number | null {
    const waitFor = (end: number): boolean => {
      this.#wanted = end - start
      return end > bytes.length
    }
    let at = start + COUNT_BYTES
    if (waitFor(at)) return null
    const cells = bytes.readInt16BE(start)
    if (cells === END) return null
    for (let cell = 0; cell < cells; cell++) {
      if (waitFor(at + LENGTH_BYTES)) return null
      at += LENGTH_BYTES + Math.max(0, bytes.readInt32BE(at))
      if (waitFor(at)) return null
    }
    return at
  }
}

/** Tells of each cell of a row where it begins, and its length, below 0 for NULL; gives the end of the row. */
export function readCells(
  bytes: Buffer,
  start: number,
  read: (cell: number, from: number, length: number) => void,
): number {
  const cells = bytes.readInt16BE(start)
  let at = start + COUNT_BYTES
  for (let cell = 0; cell < cells; cell++) {
    const length = bytes.readInt32BE(at)
    at += LENGTH_BYTES
    read(cell, at, length)
    at += Math.max(0, length)
  }
  return at
}
