import { write } from 'node:fs'
import { promisify } from 'node:util'

import { createScratchFile, type ScratchFile } from '../../../core/scratch-file.ts'
import { closeFd } from '../../../input/flows/descriptors.ts'
import type { RowBlock } from '../blocks/row-block.ts'
import { PagedFile } from './paged-file.ts'
import type { StringStore } from './string-store.ts'

const writeFd = promisify(write)

/** An end offset in the index file: 48 bits, enough for 256 TiB, and none crosses a page. */
const INDEX_BYTES = 8
const INDEXED_AT_ONCE = 8192

/** Shared strings that do not fit in memory: their bytes in one file, where each ends in another. */
export class SpilledStrings implements StringStore {
  readonly spilled = true
  count = 0
  readonly #texts: ScratchFile
  readonly #index: ScratchFile
  readonly #textPages: PagedFile
  readonly #indexPages: PagedFile
  #textBytes = 0
  #closed = false

  private constructor(texts: ScratchFile, index: ScratchFile, cacheBytes: number) {
    this.#texts = texts
    this.#index = index
    this.#textPages = new PagedFile(texts.fd, cacheBytes * 0.75)
    this.#indexPages = new PagedFile(index.fd, cacheBytes * 0.25)
  }

  static async create(folder: string, cacheBytes: number): Promise<SpilledStrings> {
    const texts = createScratchFile(folder)
    try {
      return new SpilledStrings(texts, createScratchFile(folder), cacheBytes)
    } catch (error) {
      await closeFd(texts.fd)
      texts.remove()
      throw error
    }
  }

  /** Adds strings that are one after another in `bytes`; all have to be added before the first is read. */
  async add(bytes: Buffer, ends: Uint32Array): Promise<void> {
    await writeWhole(this.#texts.fd, bytes, this.#textBytes)
    const index = Buffer.alloc(INDEXED_AT_ONCE * INDEX_BYTES)
    for (let from = 0; from < ends.length; from += INDEXED_AT_ONCE) {
      const some = ends.subarray(from, from + INDEXED_AT_ONCE)
      some.forEach((end, nth) => index.writeUIntLE(this.#textBytes + end, nth * INDEX_BYTES, 6))
      const written = index.subarray(0, some.length * INDEX_BYTES)
      await writeWhole(this.#index.fd, written, (this.count + from) * INDEX_BYTES)
    }
    this.#textBytes += bytes.length
    this.count += ends.length
  }

  appendTo(block: RowBlock, index: number): boolean {
    if (index >= this.count) return false
    const start = index === 0 ? 0 : this.#indexPages.readUint48((index - 1) * INDEX_BYTES)
    const end = this.#indexPages.readUint48(index * INDEX_BYTES)
    this.#textPages.read(start, end, block)
    return true
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    for (const file of [this.#texts, this.#index]) {
      await closeFd(file.fd)
      file.remove()
    }
  }
}

async function writeWhole(fd: number, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await writeFd(fd, bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}
