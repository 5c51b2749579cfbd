/** Elements without content. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/
/** What begins or ends a cell, and so ends whatever was left open in the one before. */
const OF_TABLES = /^(?:tr|td|th|thead|tbody|tfoot|caption|colgroup)$/

const MAY_HIDE = /hidden|none/i
const QUOTED = /"[^"]*"|'[^']*'/g
const HIDDEN = /\shidden(?=[\s=/>])/i
const STYLE = /\sstyle\s?=\s?(?:"([^"]*)"|'([^']*)'|([^\s>]*))/i
const NOT_DISPLAYED = /(?:^|[;\s])display\s?:\s?none(?=[\s;!]|$)/i

/** Whether an element says of itself that it is not shown; what style sheets say is not looked at. */
export function saysHidden(tag: string): boolean {
  if (!MAY_HIDE.test(tag)) return false
  if (HIDDEN.test(tag.replaceAll(QUOTED, '""'))) return true
  const [, double, single, bare] = STYLE.exec(tag) ?? []
  return NOT_DISPLAYED.test(double ?? single ?? bare ?? '')
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
  static of(name: string, tag: string): HiddenElement | null {
    if (VOID.test(name) || OF_TABLES.test(name) || tag.endsWith('/>')) return null
    return saysHidden(tag) ? new HiddenElement(name) : null
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
