import { enlarged } from '../enlarged.ts'

const FIRST_CAPACITY = 64

/**
 * Where the members of the objects that are being written lie in what was made: `"key":value`. Those
 * of an object inside another stand behind those of the outer one, and go when it is over. There is
 * one for every member of every nested value, so none is an object of its own.
 */
export class MemberList {
  count = 0
  /** Where member k begins, */
  from = new Int32Array(FIRST_CAPACITY)
  /** where its key ends, */
  keyEnd = new Int32Array(FIRST_CAPACITY)
  /** and where its value does. */
  to = new Int32Array(FIRST_CAPACITY)

  /** Answers which member it is. */
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
