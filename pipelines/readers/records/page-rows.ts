import { CellKind, NULL_CELL } from '../../core/batch.ts'
import { enlarged } from '../enlarged.ts'
import { ByteSink } from '../byte-sink.ts'
import type { CellSink } from '../json/cell-sink.ts'
import type { Message } from '../../core/message.ts'

const FIRST_ROWS = 1024
const FIRST_CELLS = 16 * 1024

/** Added to the position of a cell in `made`. No page is this long. */
export const MADE = 0x4000_0000

/** The memory of a longer page is not reused. */
const LENT_BYTES = 4 * 1024 * 1024

/**
 * The rows of one page as they were read: for every member of every record its key and the
 * position of its text, in the page or in `made`. Records follow one another, and none is an
 * object. A later page may use the same memory, since otherwise V8 would stop for a garbage
 * collection every few pages.
 */
export class PageRows implements CellSink {
  /** Its bytes, followed by a 0. */
  page: Buffer = Buffer.alloc(1)
  readonly made = new ByteSink()
  readonly takesNewKeys = true
  /** Row → what is wrong with it. */
  readonly faults = new Map<number, Message>()
  count = 0
  /** How many keys there are, including those of earlier pages and of the form. */
  keys = 0
  /** Of row k: its first member, */
  firstMember = new Int32Array(FIRST_ROWS)
  /** where its object begins in the page, and where it ends, */
  from = new Int32Array(FIRST_ROWS)
  to = new Int32Array(FIRST_ROWS)
  /** and where its part of `made` begins. An entry after the last row has all of these but `to`. */
  madeFrom = new Int32Array(FIRST_ROWS)
  /** Of member k: its key, its text, and its kind. */
  memberKey = new Int32Array(FIRST_CELLS)
  memberFrom = new Int32Array(FIRST_CELLS)
  memberTo = new Int32Array(FIRST_CELLS)
  memberKind = new Uint8Array(FIRST_CELLS)
  #members = 0

  /** Forgets its contents and takes the bytes of another page; returns how many there are. */
  begin(pieces: readonly Buffer[]): number {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    if (length >= this.page.length) this.page = Buffer.allocUnsafeSlow(length + (length >> 3) + 1)
    let at = 0
    for (const piece of pieces) at += piece.copy(this.page, at)
    this.page[length] = 0
    this.made.length = 0
    this.faults.clear()
    this.count = 0
    this.#members = 0
    return length
  }

  get mayBeLent(): boolean {
    return this.page.length <= LENT_BYTES
  }

  beginRow(at: number): void {
    this.from[this.count] = at
  }

  endRow(at: number): void {
    this.to[this.count] = at
    this.count += 1
    if (this.count === this.from.length) this.#growRows()
    this.firstMember[this.count] = this.#members
    this.madeFrom[this.count] = this.made.length
  }

  widen(keys: number): void {
    this.keys = keys
  }

  found(key: number, from: number, to: number, kind: CellKind): void {
    this.#member(key, from, to, kind)
  }

  finished(key: number, from: number, kind: CellKind): void {
    this.#member(key, MADE + from, MADE + this.made.length, kind)
  }

  empty(key: number): void {
    this.#member(key, 0, NULL_CELL, CellKind.text)
  }

  fault(message: Message): void {
    if (!this.faults.has(this.count)) this.faults.set(this.count, message)
  }

  #member(key: number, from: number, to: number, kind: CellKind): void {
    const member = this.#members
    if (member === this.memberKey.length) this.#growMembers()
    this.memberKey[member] = key
    this.memberFrom[member] = from
    this.memberTo[member] = to
    this.memberKind[member] = kind
    this.#members = member + 1
  }

  #growRows(): void {
    this.firstMember = enlarged(this.firstMember, 2 * this.firstMember.length)
    this.from = enlarged(this.from, 2 * this.from.length)
    this.to = enlarged(this.to, 2 * this.to.length)
    this.madeFrom = enlarged(this.madeFrom, 2 * this.madeFrom.length)
  }

  #growMembers(): void {
    this.memberKey = enlarged(this.memberKey, 2 * this.memberKey.length)
    this.memberFrom = enlarged(this.memberFrom, 2 * this.memberFrom.length)
    this.memberTo = enlarged(this.memberTo, 2 * this.memberTo.length)
    const kinds = new Uint8Array(2 * this.memberKind.length)
    kinds.set(this.memberKind)
    this.memberKind = kinds
  }
}
