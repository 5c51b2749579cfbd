import type { ClientBase } from 'pg'

import { invalidField } from '../../errors/index.ts'
import type { TableKey } from '../../stack/table/partitions.ts'
import { readRejectIds } from '../../stack/fill/rejects.ts'
import { sourceMessages } from './source-messages.ts'

interface Place {
  readonly row: number
  readonly line: number
}

/** Which rejects the rows of a file correct: one bit for each reject, however many there are. */
export class Corrections {
  readonly #open: Bits
  readonly #settled: Bits
  #sent = new Bits()
  #leftOut = 0

  private constructor(open: Bits, settled: Bits) {
    this.#open = open
    this.#settled = settled
  }

  /** As the table has them now; the caller must hold its lease. */
  static async read(client: ClientBase, table: TableKey): Promise<Corrections> {
    const open = new Bits()
    const settled = new Bits()
    for await (const rejects of readRejectIds(client, table)) {
      for (const reject of rejects) (reject.open ? open : settled).add(reject.id)
    }
    return new Corrections(open, settled)
  }

  /** Called when the file is read from its beginning, which happens again if a load starts over. */
  begin(): void {
    this.#sent = new Bits()
    this.#leftOut = 0
  }

  /**
   * Whether the row is loaded: not if its reject was corrected before. A row without a number is a
   * new one.
   */
  take(id: string, place: Place): boolean {
    const text = id.trim()
    if (text === '') return true
    const number = /^\d{1,15}$/.test(text) ? Number(text) : 0
    if (this.#settled.has(number)) {
      this.#leftOut++
      return false
    }
    if (!this.#open.has(number)) throw unknownReject(text, place)
    this.#sent.add(number)
    return true
  }

  /** Rows whose rejects had been corrected before. */
  get leftOut(): number {
    return this.#leftOut
  }

  /** The rejects that the rows of the file stand for, as ranges of numbers. */
  sent(): Iterable<readonly [from: number, to: number]> {
    return this.#sent.ranges()
  }
}

function unknownReject(id: string, { row, line }: Place) {
  return invalidField('/file', sourceMessages.unknownReject({ id, row, line }))
}

const BITS = 8

/** A set of numbers that lie close together. */
class Bits {
  #bytes = new Uint8Array(1024)

  add(number: number): void {
    const at = Math.floor(number / BITS)
    if (at >= this.#bytes.length) {
      const larger = new Uint8Array(Math.max(at + 1, this.#bytes.length * 2))
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#bytes[at]! |= 1 << (number % BITS)
  }

  has(number: number): boolean {
    const byte = this.#bytes[Math.floor(number / BITS)]
    return byte !== undefined && (byte & (1 << (number % BITS))) !== 0
  }

  *ranges(): Generator<readonly [from: number, to: number]> {
    const end = this.#bytes.length * BITS
    let from: number | null = null
    for (let number = 0; number <= end; number++) {
      const isIn = number < end && this.has(number)
      if (isIn) from ??= number
      else if (from !== null) {
        yield [from, number - 1]
        from = null
      }
    }
  }
}
