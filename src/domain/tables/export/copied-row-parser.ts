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
    this.#pieces.push(piece)
    this.#held += piece.length
    if (this.#held < this.#wanted) return []
    const bytes = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces)
    const rows: TextRow[] = []
    let at = this.#begun ? 0 : HEADER_BYTES
    this.#begun = true
    for (;;) {
      const end = this.#endOfRow(bytes, at)
      if (end === null) break
      rows.push(readRow(bytes, at))
      at = end
    }
    const rest = bytes.subarray(at)
    this.#pieces = rest.length > 0 ? [rest] : []
    this.#held = rest.length
    return rows
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

function readRow(bytes: Buffer, start: number): TextRow {
  const row: (string | null)[] = []
  const cells = bytes.readInt16BE(start)
  let at = start + COUNT_BYTES
  for (let cell = 0; cell < cells; cell++) {
    const length = bytes.readInt32BE(at)
    at += LENGTH_BYTES
    row.push(length < 0 ? null : bytes.toString('utf8', at, at + length))
    at += Math.max(0, length)
  }
  return row
}
