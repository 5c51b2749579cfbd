import { readSync } from 'node:fs'

const PAGE_BYTES = 16 * 1024

/**
 * Random reads from a file through a cache of its pages. Reads are synchronous: the file was just
 * written, so its pages are the system's own, and a promise for each cell would cost more.
 */
export class PagedFile {
  readonly #fd: number
  readonly #maxPages: number
  /** In the order of their last use. */
  readonly #pages = new Map<number, Buffer>()

  constructor(fd: number, cacheBytes: number) {
    this.#fd = fd
    this.#maxPages = Math.max(2, Math.floor(cacheBytes / PAGE_BYTES))
  }

  /** Hands over the pieces that lie between two offsets, in order. */
  read(from: number, to: number, take: (page: Buffer, start: number, end: number) => void): void {
    for (let at = from; at < to;) {
      const number = Math.floor(at / PAGE_BYTES)
      const pageStart = number * PAGE_BYTES
      const end = Math.min(to - pageStart, PAGE_BYTES)
      take(this.#page(number), at - pageStart, end)
      at = pageStart + end
    }
  }

  readUint48(at: number): number {
    const whole = Buffer.alloc(6)
    let filled = 0
    this.read(at, at + 6, (page, start, end) => {
      filled += page.copy(whole, filled, start, end)
    })
    return whole.readUIntLE(0, 6)
  }

  #page(number: number): Buffer {
    const cached = this.#pages.get(number)
    if (cached !== undefined) {
      this.#pages.delete(number)
      this.#pages.set(number, cached)
      return cached
    }
    const page =
      this.#pages.size < this.#maxPages ? Buffer.allocUnsafeSlow(PAGE_BYTES) : this.#evict()
    readSync(this.#fd, page, 0, PAGE_BYTES, number * PAGE_BYTES)
    this.#pages.set(number, page)
    return page
  }

  #evict(): Buffer {
    const [oldest, page] = this.#pages.entries().next().value!
    this.#pages.delete(oldest)
    return page
  }
}
