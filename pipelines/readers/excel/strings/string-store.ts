import type { RowBlock } from '../blocks/row-block.ts'

/** The shared strings of a workbook, found again by their index. */
export interface StringStore {
  readonly count: number
  readonly spilled: boolean
  /** Writes the string to the end of the block; false if there is no such index. */
  appendTo(block: RowBlock, index: number): boolean
  close(): Promise<void>
}

export const NO_STRINGS: StringStore = {
  count: 0,
  spilled: false,
  appendTo: () => false,
  close: async () => {},
}

/** All strings in one buffer, one after the other, and where each ends. */
export class StringsInMemory implements StringStore {
  readonly spilled = false
  readonly count: number
  readonly #bytes: Buffer
  readonly #ends: Uint32Array

  constructor(bytes: Buffer, ends: Uint32Array) {
    this.#bytes = bytes
    this.#ends = ends
    this.count = ends.length
  }

  appendTo(block: RowBlock, index: number): boolean {
    if (index >= this.count) return false
    const start = index === 0 ? 0 : this.#ends[index - 1]!
    block.append(this.#bytes, start, this.#ends[index]!)
    return true
  }

  async close(): Promise<void> {}
}
