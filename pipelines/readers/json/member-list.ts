import { enlarged } from '../enlarged.ts'

const FIRST_CAPACITY = 64

/**
 * The positions of the members (`"key":value`) of the objects that are being written. Those of a
 * nested object come after those of the outer one, and are removed when it ends. There is one for
 * every member of every nested value, so they are kept in arrays and not as objects.
 */
export class MemberList {
  count = 0
  /** Where member k begins, */
  from = new Int32Array(FIRST_CAPACITY)
  /** where its key ends, */
  keyEnd = new Int32Array(FIRST_CAPACITY)
  /** and where its value does. */
  to = new Int32Array(FIRST_CAPACITY)

  /** Returns the number of the member. */
  begin(from: number): number {
    if (this.count === this.from.length) this.#grow()
    this.from[this.count] = from
    this.count += 1
    return this.count - 1
  }

  #grow(): void {
    this.from = enlarged(this.from, 2 * this.from.length)
    this.keyEnd = enlarged(this.keyEnd, 2 * this.keyEnd.length)
    this.to = enlarged(this.to, 2 * this.to.length)
  }
}
