import { type FileHandle, open } from 'node:fs/promises'

import type { CountedFlow } from './byte-flow.ts'

const CHUNK_BYTES = 256 * 1024
/** One at work and one read ahead; whoever keeps more of them keeps them for good. */
const MOST_SPARE = 2

/**
 * A local file, read one chunk ahead. A stream would make a new buffer for every chunk, and its
 * garbage would be the largest part of a load's memory: here those that come back are filled anew.
 */
export async function openFile(path: string, signal: AbortSignal): Promise<CountedFlow> {
  signal.throwIfAborted()
  return new FileFlow(await open(path), signal)
}

class FileFlow implements CountedFlow {
  bytesRead = 0
  readonly #file: FileHandle
  readonly #signal: AbortSignal
  readonly #spare: Buffer[] = []
  readonly #lent = new WeakSet<ArrayBufferLike>()
  #ahead: Promise<Buffer> | null = null

  constructor(file: FileHandle, signal: AbortSignal) {
    this.#file = file
    this.#signal = signal
  }

  async next(): Promise<Buffer | null> {
    this.#signal.throwIfAborted()
    const chunk = await (this.#ahead ?? this.#read())
    this.#ahead = null
    this.#signal.throwIfAborted()
    if (chunk.length === 0) return null
    this.bytesRead += chunk.length
    this.#lent.add(chunk.buffer)
    this.#ahead = this.#read()
    // It may fail after the last call, when nobody waits for it.
    this.#ahead.catch((error: Error) => error)
    return chunk
  }

  release({ buffer }: Buffer): void {
    if (this.#lent.delete(buffer) && this.#spare.length < MOST_SPARE) {
      this.#spare.push(Buffer.from(buffer))
    }
  }

  /** A read under way is waited for. */
  close(): Promise<void> {
    return this.#file.close()
  }

  async #read(): Promise<Buffer> {
    const buffer = this.#spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES)
    const { bytesRead } = await this.#file.read(buffer, 0, CHUNK_BYTES)
    return buffer.subarray(0, bytesRead)
  }
}
