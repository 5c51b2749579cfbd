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
const BODY = xmlName('body')

const MOST_STYLES = 1_000_000

/** What styles say that matters to data. */
export interface OdsStyles {
  readonly hiddenTables: ReadonlySet<string>
  readonly boldCells: ReadonlySet<string>
}

/** From the head of the content: the styles that it brings along. */
export async function readOdsStyles(part: PartFlow, signal: AbortSignal): Promise<OdsStyles> {
  const handler = new StylesHandler(() => scanner.pause())
  const scanner: XmlScanner = new XmlScanner(handler, part.part)
  try {
    const text = await toUtf8(part)
    while (!handler.isDone) {
      signal.throwIfAborted()
      const chunk = await text.next()
      if (chunk === null) break
      scanner.feed(chunk)
      scanner.run()
    }
  } finally {
    await part.close()
  }
  return handler
}

class StylesHandler implements XmlHandler, OdsStyles {
  isDone = false
  readonly hiddenTables = new Set<string>()
  readonly boldCells = new Set<string>()
  readonly #pause: () => void
  #style = ''

  constructor(pause: () => void) {
    this.#pause = pause
  }

  open(name: number, attributes: XmlAttributes): void {
    if (name === BODY) {
      this.isDone = true
      this.#pause()
    } else if (name === STYLE) this.#style = attributes.text(NAME) ?? ''
    else if (name === TABLE_PROPERTIES) {
      const isHidden = attributes.text(DISPLAY) === 'false'
      if (isHidden && this.hiddenTables.size < MOST_STYLES) this.hiddenTables.add(this.#style)
    } else if (name === TEXT_PROPERTIES) {
      const isBold = /^(?:bold|[6-9]00)$/.test(attributes.text(FONT_WEIGHT) ?? '')
      if (isBold && this.boldCells.size < MOST_STYLES) this.boldCells.add(this.#style)
    }
  }

  close(): void {}

  text(): void {}
}
