import { addAbortSignal } from 'node:stream'

import type { ByteFlow, CountedFlow } from '../../core/input.ts'
import { createScratchFile } from '../../core/scratch-file.ts'
import type { ByteSource } from '../../core/source.ts'
import { closeFd, openFd, readAt, sizeOf, writeAll, readFd } from './descriptors.ts'
import { withHead } from './byte-flow.ts'

const HEAD_BYTES = 64 * 1024

/** Bytes whose head has been read. The rest can be asked for once, as a flow or as a file. */
export interface OpenedBytes {
  /** The first 64 KiB, or everything if there is less. */
  readonly head: Buffer
  /** Whether this is everything. */
  readonly isWhole: boolean
  /** How many bytes were read from the source. */
  readonly bytesRead: number
  /** The bytes after the head. */
  rest(): ByteFlow
  /** Puts all bytes into a file, which then belongs to the caller. */
  toFile(tempDir: string): Promise<OwnedFile>
  close(): Promise<void>
}

interface OwnedFile {
  /** The caller closes it. */
  readonly fd: number
  readonly size: number
  /** Removes what is left of a copy, once its descriptor is closed. */
  remove(): void
}

/** Opens a source at its first byte: from its file if it has one, otherwise from its stream. */
export async function openSource(source: ByteSource, signal: AbortSignal): Promise<OpenedBytes> {
  signal.throwIfAborted()
  if (source.path === undefined) return openFlow(await openStream(source, signal))
  const fd = await openFd(source.path, 'r')
  try {
    return new OpenedFile(fd, await readAt(fd, 0, HEAD_BYTES), signal)
  } catch (error) {
    await closeFd(fd)
    throw error
  }
}

export async function openFlow(flow: CountedFlow): Promise<OpenedBytes> {
  try {
    const head = Buffer.allocUnsafe(HEAD_BYTES)
    let filled = 0
    let behind: Buffer | null = null
    let isWhole = false
    while (filled < HEAD_BYTES) {
      const chunk = await flow.next()
      isWhole = chunk === null
      if (chunk === null) break
      const taken = chunk.copy(head, filled)
      filled += taken
      if (taken < chunk.length) behind = chunk.subarray(taken)
      else flow.release?.(chunk)
    }
    return new OpenedFlow(flow, head.subarray(0, filled), isWhole, behind)
  } catch (error) {
    await flow.close()
    throw error
  }
}

class OpenedFile implements OpenedBytes {
  readonly head: Buffer
  readonly isWhole: boolean
  readonly #signal: AbortSignal
  /** Null once it was handed over or closed. */
  #fd: number | null
  #flow: FileFlow | null = null

  constructor(fd: number, head: Buffer, signal: AbortSignal) {
    this.#fd = fd
    this.head = head
    this.isWhole = head.length < HEAD_BYTES
    this.#signal = signal
  }

  get bytesRead(): number {
    return this.#flow?.bytesRead ?? this.head.length
  }

  rest(): ByteFlow {
    this.#flow = new FileFlow(this.#fd!, this.head.length, this.#signal)
    return this.#flow
  }

  async toFile(): Promise<OwnedFile> {
    const fd = this.#fd!
    const size = await sizeOf(fd)
    this.#fd = null
    return { fd, size, remove: () => undefined }
  }

  async close(): Promise<void> {
    const fd = this.#fd
    this.#fd = null
    await this.#flow?.close()
    if (fd !== null) await closeFd(fd)
  }
}

class OpenedFlow implements OpenedBytes {
  readonly head: Buffer
  readonly isWhole: boolean
  readonly #flow: CountedFlow
  #behind: Buffer | null

  constructor(flow: CountedFlow, head: Buffer, isWhole: boolean, behind: Buffer | null) {
    this.#flow = flow
    this.head = head
    this.isWhole = isWhole
    this.#behind = behind
  }

  get bytesRead(): number {
    return this.#flow.bytesRead
  }

  rest(): ByteFlow {
    const behind = this.#behind
    this.#behind = null
    return behind === null ? this.#flow : withHead(behind, this.#flow)
  }

  async toFile(tempDir: string): Promise<OwnedFile> {
    const { fd, remove } = createScratchFile(tempDir)
    try {
      await writeAll(fd, this.head)
      let size = this.head.length
      const rest = this.rest()
      for (let chunk = await rest.next(); chunk !== null; chunk = await rest.next()) {
        await writeAll(fd, chunk)
        size += chunk.length
        rest.release?.(chunk)
      }
      return { fd, size, remove }
    } catch (error) {
      await closeFd(fd)
      remove()
      throw error
    } finally {
      await this.close()
    }
  }

  close(): Promise<void> {
    return this.#flow.close()
  }
}

const CHUNK_BYTES = 256 * 1024
/** One in use and one read ahead; a reader that keeps more never returns them. */
const MOST_SPARE = 2

/**
 * Reads a local file one chunk ahead. A stream would allocate a new buffer for every chunk, and
 * that garbage would be the largest part of a load's memory; here returned buffers are reused.
 */
class FileFlow implements ByteFlow {
  readonly #fd: number
  readonly #signal: AbortSignal
  readonly #spare: Buffer[] = []
  readonly #lent = new WeakSet<ArrayBufferLike>()
  #position: number
  #ahead: Promise<Buffer> | null = null
  #isClosed = false

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
    this.#ahead ??= this.#read()
    const chunk = await this.#ahead
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
    this.#isClosed = true
    await this.#ahead?.catch((error: Error) => error)
  }

  async #read(): Promise<Buffer> {
    if (this.#isClosed) throw new Error('A file is read that was closed')
    const buffer = this.#spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES)
    const { bytesRead } = await readFd(this.#fd, buffer, 0, CHUNK_BYTES, this.#position)
    return buffer.subarray(0, bytesRead)
  }
}

/** The stream of a source as a flow. */
export async function openStream(source: ByteSource, signal: AbortSignal): Promise<CountedFlow> {
  const stream = await source.open(signal)
  // If the stream is destroyed while nobody reads, only this listener gets its error.
  stream.on('error', () => stream.destroy())
  addAbortSignal(signal, stream)
  const chunks: AsyncIterator<Uint8Array | string> = stream[Symbol.asyncIterator]()
  let bytesRead = 0
  return {
    get bytesRead() {
      return bytesRead
    },
    async next() {
      for (;;) {
        signal.throwIfAborted()
        const { value, done } = await chunks.next()
        if (done === true) {
          source.onRead?.(null)
          return null
        }
        const chunk = asBuffer(value)
        source.onRead?.(chunk)
        bytesRead += chunk.length
        if (chunk.length > 0) return chunk
      }
    },
    async close() {
      stream.destroy()
    },
  }
}

function asBuffer(chunk: Uint8Array | string): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk
  if (typeof chunk === 'string') return Buffer.from(chunk, 'utf8')
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}
