import type { PartFlow } from '../excel/archive/open-archive.ts'
import { toUtf8 } from '../excel/xml/to-utf8.ts'
import type { XmlAttributes } from '../excel/xml/xml-attributes.ts'
import { xmlName } from '../excel/xml/xml-name.ts'
import { type XmlHandler, XmlScanner } from '../excel/xml/xml-scanner.ts'

const STYLE = xmlName('style')
const NAME = xmlName('name')
const TABLE_PROPERTIES = xmlName('table-properties')
const DISPLAY = xmlName('display')
const TEXT_PROPERTIES = xmlName('text-properties')
const FONT_WEIGHT = xmlName('font-weight')
const NUMBER_STYLE = xmlName('number-style')
const NUMBER = xmlName('number')
const EMBEDDED_TEXT = xmlName('embedded-text')
const LEAST_DIGITS = xmlName('min-integer-digits')
const DECIMAL_PLACES = xmlName('decimal-places')
const GROUPING = xmlName('grouping')
const DATA_STYLE = xmlName('data-style-name')
const AUTOMATIC_STYLES = xmlName('automatic-styles')
const BODY = xmlName('body')

const MOST_STYLES = 1_000_000

/** What styles say that matters to data. */
export interface OdsStyles {
  readonly hiddenTables: ReadonlySet<string>
  readonly boldCells: ReadonlySet<string>
  /** For cells whose numbers are shown with a minimum number of digits. */
  readonly fixedDigits: ReadonlySet<string>
}

/** Reads the styles shared by the document, and those at the head of the content. */
export async function readOdsStyles(
  common: PartFlow | null,
  content: PartFlow,
  signal: AbortSignal,
): Promise<OdsStyles> {
  const handler = new StylesHandler()
  if (common !== null) await readHead(common, handler, AUTOMATIC_STYLES, signal)
  await readHead(content, handler, BODY, signal)
  handler.finish()
  return handler
}

/** The part up to an element. */
async function readHead(
  part: PartFlow,
  handler: StylesHandler,
  until: number,
  signal: AbortSignal,
): Promise<void> {
  const head = new HeadHandler(handler, until, () => scanner.pause())
  const scanner: XmlScanner = new XmlScanner(head, part.part)
  try {
    const text = await toUtf8(part)
    while (!head.isDone) {
      signal.throwIfAborted()
      const chunk = await text.next()
      if (chunk === null) break
      scanner.feed(chunk)
      scanner.run()
    }
  } finally {
    await part.close()
  }
}

/** Passes on what comes before an element. */
class HeadHandler implements XmlHandler {
  isDone = false
  readonly #handler: StylesHandler
  readonly #until: number
  readonly #pause: () => void

  constructor(handler: StylesHandler, until: number, pause: () => void) {
    this.#handler = handler
    this.#until = until
    this.#pause = pause
  }

  open(name: number, attributes: XmlAttributes): void {
    if (name !== this.#until) return this.#handler.open(name, attributes)
    this.isDone = true
    this.#pause()
  }

  close(): void {}

  text(): void {}
}

class StylesHandler implements OdsStyles {
  readonly hiddenTables = new Set<string>()
  readonly boldCells = new Set<string>()
  readonly fixedDigits = new Set<string>()
  readonly #numberStyles = new Set<string>()
  /** Cell styles and the number styles that they name, which may come later. */
  readonly #dataStyles = new Map<string, string>()
  #style = ''
  #isWhole = false

  finish(): void {
    for (const [style, dataStyle] of this.#dataStyles) {
      if (this.#numberStyles.has(dataStyle)) this.fixedDigits.add(style)
    }
  }

  #addNumberStyle(): void {
    if (this.#isWhole && this.#numberStyles.size < MOST_STYLES) this.#numberStyles.add(this.#style)
  }

  open(name: number, attributes: XmlAttributes): void {
    if (name === STYLE) {
      this.#style = attributes.text(NAME) ?? ''
      const dataStyle = attributes.text(DATA_STYLE)
      if (dataStyle !== null && this.#dataStyles.size < MOST_STYLES) {
        this.#dataStyles.set(this.#style, dataStyle)
      }
    } else if (name === NUMBER_STYLE) this.#style = attributes.text(NAME) ?? ''
    else if (name === NUMBER) {
      this.#isWhole = isWhole(attributes)
      if (Number(attributes.text(LEAST_DIGITS) ?? 0) > 1) this.#addNumberStyle()
    } else if (name === EMBEDDED_TEXT) {
      // For a format such as `0# ## ##`, the file stores only what is between the digits.
      this.#addNumberStyle()
    } else if (name === TABLE_PROPERTIES) {
      const isHidden = attributes.text(DISPLAY) === 'false'
      if (isHidden && this.hiddenTables.size < MOST_STYLES) this.hiddenTables.add(this.#style)
    } else if (name === TEXT_PROPERTIES) {
      const isBold = /^(?:bold|[6-9]00)$/.test(attributes.text(FONT_WEIGHT) ?? '')
      if (isBold && this.boldCells.size < MOST_STYLES) this.boldCells.add(this.#style)
    }
  }
}

/** Without decimals and thousands. */
function isWhole(attributes: XmlAttributes): boolean {
  const decimals = Number(attributes.text(DECIMAL_PLACES) ?? 0)
  return decimals === 0 && attributes.text(GROUPING) !== 'true'
}
