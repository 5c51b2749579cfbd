import type { XmlAttributes } from '../excel/xml/xml-attributes.ts'
import type { XmlHandler } from '../excel/xml/xml-scanner.ts'
import { localName } from './local-name.ts'

interface OpenElement {
  readonly path: string
  readonly counts: Map<string, number>
  hasContent: boolean
}

/** Of a document with ever new names only the first are counted. */
const MOST_PATHS = 1000

/**
 * Finds the element that is a record: of those that repeat in one parent the least deep, of those the
 * one that occurs most. Where none repeats, the only child of the root that has content of its own,
 * else the root.
 */
export class RecordSearch implements XmlHandler {
  readonly #open: OpenElement[] = []
  readonly #repeated = new Map<string, number>()
  #root = ''
  #onlyChild: string | null = null
  #rootChildren = 0

  open(_name: number, attributes: XmlAttributes): void {
    const name = localName(attributes.tagName())
    const parent = this.#open.at(-1)
    const path = parent === undefined ? name : `${parent.path}/${name}`
    if (parent === undefined) this.#root = path
    else this.#count(parent, name, path)
    this.#open.push({ path, counts: new Map(), hasContent: attributes.count > 0 })
    if (this.#open.length === 2) this.#rootChildren += 1
    if (this.#open.length === 3) this.#onlyChild = parent!.path
    if (this.#open.length === 2 && attributes.count > 0) this.#onlyChild = path
  }

  close(): void {
    this.#open.pop()
  }

  text(): void {
    // Only the elements count.
  }

  get path(): string {
    let best: string | null = null
    for (const [path, count] of this.#repeated) {
      if (best === null) best = path
      const depth = depthOf(path)
      const least = depthOf(best)
      if (depth < least || (depth === least && count > this.#repeated.get(best)!)) best = path
    }
    if (best !== null) return best
    return this.#rootChildren === 1 && this.#onlyChild !== null ? this.#onlyChild : this.#root
  }

  #count(parent: OpenElement, name: string, path: string): void {
    const count = (parent.counts.get(name) ?? 0) + 1
    if (count > 1 || parent.counts.size < MOST_PATHS) parent.counts.set(name, count)
    if (count === 1) return
    const known = this.#repeated.get(path)
    if (known === undefined && this.#repeated.size >= MOST_PATHS) return
    this.#repeated.set(path, (known ?? 1) + 1)
  }
}

const depthOf = (path: string) => path.split('/').length
