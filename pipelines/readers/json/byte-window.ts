import type { ByteFlow } from '../../core/input.ts'

const FIRST_CAPACITY = 64 * 1024
/** Extra room, since the rest of a row is moved to another place each time. */
const SPARE_BYTES = 16 * 1024

const NOTHING: ByteFlow = { next: () => Promise.resolve(null), close: () => Promise.resolve() }

/**
 * A stretch of the input that is in memory in one piece. The parser moves `pos` on; `fill` drops
 * what is before it. The byte at `limit` is always 0, which no JSON token contains, so that
 * scanning loops stop there without checking for the end at every byte.
 */
export class ByteWindow {
  /** UTF-8. */
  bytes: Buffer
  pos = 0
  limit = 0
  /** The input ends at `limit`. */
  ended = false
  /** The line of `pos`, counted from 1. Whoever moves `pos` updates it. */
  line = 1
  /** The offset of `bytes[0]` in the text. */
  offset = 0
  readonly #flow: ByteFlow
  /** What is left of the flow's last chunk. */
  #pending: Buffer = Buffer.alloc(0)
  #held: { pos: number; line: number } | null = null

  constructor(flow: ByteFlow, bytes: Buffer = Buffer.alloc(FIRST_CAPACITY)) {
    this.#flow = flow
    this.bytes = bytes
  }

  /** For an input that is in memory as a whole, followed by a 0. */
  static over(bytes: Buffer, length: number): ByteWindow {
    const window = new ByteWindow(NOTHING, bytes)
    window.limit = length
    window.ended = true
    return window
  }

  get available(): number {
    return this.limit - this.pos
  }

  /** The position that `rewind` returns to. */
  get heldFrom(): number {
    return this.#held?.pos ?? this.pos
  }

  /** How much is kept because of `hold`. */
  get heldBytes(): number {
    return this.pos - this.heldFrom
  }

  /** From here on nothing is dropped, so that `rewind` can return. */
  hold(): void {
    this.#held = { pos: this.pos, line: this.line }
  }

  rewind(): void {
    if (this.#held === null) return
    this.pos = this.#held.pos
    this.line = this.#held.line
    this.#held = null
  }

  /** Makes sure that `wanted` bytes are available, or that the input has ended. */
  async fill(wanted: number): Promise<void> {
    if (this.ended || this.available >= wanted) return
    this.#makeRoom(wanted)
    while (this.available < wanted) {
      if (this.#pending.length === 0) {
        const next = await this.#flow.next()
        if (next === null) {
          this.ended = true
          break
        }
        this.#pending = next
      }
      const taken = Math.min(this.#pending.length, this.bytes.length - 1 - this.limit)
      this.#pending.copy(this.bytes, this.limit, 0, taken)
      this.limit += taken
      if (taken === this.#pending.length) this.#flow.release?.(this.#pending)
      this.#pending = this.#pending.subarray(taken)
    }
    this.bytes[this.limit] = 0
  }

  #makeRoom(wanted: number): void {
    const from = this.heldFrom
    const capacity = this.pos - from + wanted + 1
    if (capacity > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(capacity + Math.max(SPARE_BYTES, this.limit - from))
      this.bytes.copy(larger, 0, from, this.limit)
      this.bytes = larger
    } else {
      this.bytes.copyWithin(0, from, this.limit)
    }
    this.offset += from
    this.pos -= from
    this.limit -= from
    if (this.#held !== null) this.#held.pos = 0
  }
}
