import { readSync } from 'node:fs'

const PAGE_BYTES = 16 * 1024

interface Page {
  readonly bytes: Buffer
  usedAt: number
}

interface PieceTaker {
  append(page: Buffer, start: number, end: number): void
}

/**
 * Random reads from a file through a cache of its pages. Reads are synchronous: the file was just
 * written, so its pages are in the system's cache, and a promise for each cell would cost more.
 */
export class PagedFile {
  readonly #fd: number
  readonly #maxPages: number
  readonly #pages = new Map<number, Page>()
  #clock = 0
  #latest = -1
  #latestPage: Buffer = Buffer.alloc(0)

  constructor(fd: number, cacheBytes: number) {
    this.#fd = fd
    this.#maxPages = Math.max(2, Math.floor(cacheBytes / PAGE_BYTES))
  }

  /** Passes on the pieces between two offsets, in order. */
  read(from: number, to: number, take: PieceTaker): void {
    for (let at = from; at < to;) {
      const number = Math.floor(at / PAGE_BYTES)
      const pageStart = number * PAGE_BYTES
      const end = Math.min(to - pageStart, PAGE_BYTES)
      take.append(this.#page(number), at - pageStart, end)
      at = pageStart + end
    }
  }

  /** For files in which no number crosses a page. */
  readUint48(at: number): number {
    const number = Math.floor(at / PAGE_BYTES)
    return this.#page(number).readUIntLE(at - number * PAGE_BYTES, 6)
  }

  #page(number: number): Buffer {
    // Texts were written roughly in the order in which the sheet shows them.
    if (number === this.#latest) return this.#latestPage
    const page = this.#fetch(number)
    this.#latest = number
    this.#latestPage = page
    return page
  }

  #fetch(number: number): Buffer {
    let page = this.#pages.get(number)
    if (page === undefined) {
      const bytes =
        this.#pages.size < this.#maxPages ? Buffer.allocUnsafeSlow(PAGE_BYTES) : this.#evict()
      readSync(this.#fd, bytes, 0, PAGE_BYTES, number * PAGE_BYTES)
      page = { bytes, usedAt: 0 }
      this.#pages.set(number, page)
    }
    page.usedAt = ++this.#clock
    return page.bytes
  }

  /** Examines all pages: they are evicted far less often than they are used. */
  #evict(): Buffer {
    let longest: [number, Page] | null = null
    for (const entry of this.#pages) {
      if (longest === null || entry[1].usedAt < longest[1].usedAt) longest = entry
    }
    const [number, { bytes }] = longest!
    this.#pages.delete(number)
    return bytes
  }
}
