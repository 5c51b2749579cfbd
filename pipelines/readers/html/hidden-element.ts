import type { TagAttributes } from './page-tokens.ts'

/** Elements without content. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/
/** What begins or ends a cell, and so ends whatever was left open in the one before. */
const OF_TABLES = /^(?:tr|td|th|thead|tbody|tfoot|caption|colgroup)$/

const NOT_DISPLAYED = /(?:^|[;\s])display\s?:\s?none(?=[\s;!]|$)/i

/** Whether an element says of itself that it is not shown; what style sheets say is not looked at. */
export function saysHidden(attributes: TagAttributes): boolean {
  return attributes.has('hidden') || NOT_DISPLAYED.test(attributes.get('style') ?? '')
}

/** An element inside of a cell that is not shown, up to its end or that of the cell. */
export class HiddenElement {
  readonly #name: string
  #depth = 1
  /** Tables inside of it are hidden with it, whatever they hold. */
  #tables = 0

  private constructor(name: string) {
    this.#name = name
  }

  /** The one that the tag opens; null where it opens none. */
  static of(name: string, attributes: TagAttributes, isClosed: boolean): HiddenElement | null {
    if (isClosed || VOID.test(name) || OF_TABLES.test(name)) return null
    return saysHidden(attributes) ? new HiddenElement(name) : null
  }

  get isOver(): boolean {
    return this.#depth === 0
  }

  /** Whether a tag stands in it, its own end included; one that cannot is the end of it as well. */
  holds(name: string, isEnd: boolean): boolean {
    const step = isEnd ? -1 : 1
    if (name === 'table' && this.#name !== 'table') {
      this.#tables += step
      return this.#tables >= 0
    }
    if (name === this.#name && this.#tables === 0) this.#depth += step
    return this.#tables > 0 || this.#name === 'table' || !OF_TABLES.test(name)
  }
}
