import type { ByteFlow } from '../../core/input.ts'
import { readFd } from './descriptors.ts'

const CHUNK_BYTES = 256 * 1024
/** One in use and one read ahead; a reader that keeps more never returns them. */
const MOST_SPARE = 2

/**
 * Reads a local file one chunk ahead. A stream would allocate a new buffer for every chunk, and
 * that garbage would be the largest part of a load's memory; here returned buffers are reused.
 */
export class FileFlow implements ByteFlow {
  readonly #fd: number
  readonly #signal: AbortSignal
  readonly #spare: Buffer[] = []
  readonly #lent = new WeakSet<ArrayBufferLike>()
  #position: number
  #ahead: Promise<Buffer> | null = null

  /** The descriptor still belongs to whoever opened it. */
  constructor(fd: number, from: number, signal: AbortSignal) {
    this.#fd = fd
    this.#position = from
    this.#signal = signal
  }

  /** Counted from the first byte of the file. */
  get bytesRead(): number {
    return this.#position
  }

  async next(): Promise<Buffer | null> {
    this.#signal.throwIfAborted()
    const chunk = await (this.#ahead ?? this.#read())
    this.#ahead = null
    this.#signal.throwIfAborted()
    if (chunk.length === 0) return null
    this.#position += chunk.length
    this.#lent.add(chunk.buffer)
    this.#ahead = this.#read()
    // The read may fail after the last call, when nobody waits for it.
    this.#ahead.catch((error: Error) => error)
    return chunk
  }

  release({ buffer }: Buffer): void {
    if (this.#lent.delete(buffer) && this.#spare.length < MOST_SPARE) {
      this.#spare.push(Buffer.from(buffer))
    }
  }

  /** Waits for a read under way: its descriptor number may next belong to another file. */
  async close(): Promise<void> {
    await this.#ahead?.catch((error: Error) => error)
  }

  async #read(): Promise<Buffer> {
    const buffer = this.#spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES)
    const { bytesRead } = await readFd(this.#fd, buffer, 0, CHUNK_BYTES, this.#position)
    return buffer.subarray(0, bytesRead)
  }
}
