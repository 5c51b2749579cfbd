import { pipeline } from 'node:stream/promises'

import type { PackedEntry } from '../core/input.ts'

/** Sizes follow their entry, since they are not known before; names are UTF-8. */
const FLAGS = 0x08_08
const DEFLATE = 8
const VERSION = 20
const LARGEST = 0xff_ff_ff_ff

/** Without its 64-bit extension the format is limited to 4 GiB. */
class ZipTooLargeError extends Error {
  override readonly name = 'ZipTooLargeError'
}

interface Entry {
  readonly name: Buffer
  readonly offset: number
  readonly method: number
  readonly crc: number
  readonly compressed: number
  readonly size: number
}

type Content = AsyncIterable<string | Buffer> | Iterable<string | Buffer>

/** Resolves when more may be written. */
export type WriteBytes = (bytes: Buffer) => Promise<void>

/** Writes a zip archive from front to back, one entry after another, at the reader's pace. */
export class ZipStream {
  readonly #write: WriteBytes
  readonly #signal: AbortSignal
  readonly #entries: Entry[] = []
  #offset = 0

  constructor(write: WriteBytes, signal: AbortSignal) {
    this.#write = write
    this.#signal = signal
  }

  /** An entry of another archive, as it is packed there. */
  async copy({
    name: path,
    method,
    crc,
    compressedBytes,
    bytes,
    open,
  }: PackedEntry): Promise<void> {
    const name = Buffer.from(path)
    const offset = this.#offset
    await this.#begin(name, method)
    for await (const chunk of await open()) await this.#put(chunk)
    await this.#finish({ name, offset, method, crc, compressed: compressedBytes, size: bytes })
  }

  async add(path: string, content: Content): Promise<void> {
    // Not before something is packed: most commands pack nothing.
    const { constants, crc32, createDeflateRaw } = await import('node:zlib')
    const name = Buffer.from(path)
    const offset = this.#offset
    await this.#begin(name, DEFLATE)
    let crc = 0
    let size = 0
    let compressed = 0
    async function* counted() {
      for await (const piece of content) {
        const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
        crc = crc32(bytes, crc)
        size += bytes.length
        yield bytes
      }
    }
    const deflate = createDeflateRaw({ level: constants.Z_BEST_SPEED })
    const write = async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        compressed += chunk.length
        await this.#put(chunk)
      }
    }
    await pipeline(counted, deflate, write, { signal: this.#signal })
    await this.#finish({ name, offset, method: DEFLATE, crc, compressed, size })
  }

  async end(): Promise<void> {
    const start = this.#offset
    for (const entry of this.#entries) {
      const head = header(0x02_01_4b_50, 42, (bytes) => {
        bytes.writeUInt16LE(VERSION, 4)
        fillEntry(bytes, 6, entry.method, entry.name)
        fillSizes(bytes, 16, entry)
        bytes.writeUInt32LE(entry.offset, 42)
      })
      await this.#put(head, entry.name)
    }
    const directory = this.#offset - start
    await this.#put(
      header(0x06_05_4b_50, 18, (bytes) => {
        bytes.writeUInt16LE(this.#entries.length, 8)
        bytes.writeUInt16LE(this.#entries.length, 10)
        bytes.writeUInt32LE(directory, 12)
        bytes.writeUInt32LE(start, 16)
      }),
    )
  }

  #begin(name: Buffer, method: number): Promise<void> {
    return this.#put(
      header(0x04_03_4b_50, 26, (head) => fillEntry(head, 4, method, name)),
      name,
    )
  }

  async #finish(entry: Entry): Promise<void> {
    if (entry.size > LARGEST || this.#offset > LARGEST) {
      throw new ZipTooLargeError('A workbook holds at most 4 GiB; export as CSV or NDJSON')
    }
    await this.#put(header(0x08_07_4b_50, 12, (head) => fillSizes(head, 4, entry)))
    this.#entries.push(entry)
  }

  async #put(...chunks: readonly Buffer[]): Promise<void> {
    for (const chunk of chunks) {
      this.#offset += chunk.length
      await this.#write(chunk)
    }
  }
}

function header(signature: number, length: number, fill: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(4 + length)
  bytes.writeUInt32LE(signature, 0)
  fill(bytes)
  return bytes
}

/**
 * The part that an entry's own header and its directory record share. Its date is the first day of
 * the format.
 */
function fillEntry(bytes: Buffer, at: number, method: number, name: Buffer): void {
  bytes.writeUInt16LE(VERSION, at)
  bytes.writeUInt16LE(FLAGS, at + 2)
  bytes.writeUInt16LE(method, at + 4)
  bytes.writeUInt16LE(0x21, at + 8)
  bytes.writeUInt16LE(name.length, at + 22)
}

function fillSizes(bytes: Buffer, at: number, { crc, compressed, size }: Entry): void {
  bytes.writeUInt32LE(crc, at)
  bytes.writeUInt32LE(compressed, at + 4)
  bytes.writeUInt32LE(size, at + 8)
}
