import type { ByteFlow } from '../../core/input.ts'

/** A flow to which bytes can be put back, to be taken again. */
export class Feed {
  readonly #flow: ByteFlow
  /** The last one comes first. */
  #waiting: Buffer[] = []
  #isDry = false

  constructor(flow: ByteFlow) {
    this.#flow = flow
  }

  /** Nothing will come any more. Known only after `read` found the end. */
  get isOver(): boolean {
    return this.#isDry && this.#waiting.length === 0
  }

  unread(bytes: Buffer): void {
    if (bytes.length > 0) this.#waiting.push(bytes)
  }

  /** Copies up to `most` bytes to `to`, fewer only where the input ends. */
  async read(to: Buffer, at: number, most: number): Promise<number> {
    let copied = 0
    while (copied < most) {
      const chunk = this.#waiting.pop() ?? (this.#isDry ? null : await this.#flow.next())
      if (chunk === null) {
        this.#isDry = true
        break
      }
      const length = Math.min(chunk.length, most - copied)
      chunk.copy(to, at + copied, 0, length)
      copied += length
      if (length < chunk.length) this.#waiting.push(chunk.subarray(length))
      else this.#flow.release?.(chunk)
    }
    return copied
  }
}
