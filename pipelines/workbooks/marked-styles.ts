import type { WorkbookArchive } from '../readers/excel/archive/open-archive.ts'
import type { XmlAttributes } from '../readers/excel/xml/xml-attributes.ts'
import { scanPart } from '../readers/excel/xml/scan-part.ts'
import { xmlName } from '../readers/excel/xml/xml-name.ts'
import type { XmlHandler } from '../readers/excel/xml/xml-scanner.ts'
import { Appending, editedPart, type PartEdits, prefixOf } from './edit-part.ts'
import { xmlAttribute, XML_START } from './xml-text.ts'

const FONTS = xmlName('fonts')
const FILLS = xmlName('fills')
const CELL_STYLES = xmlName('cellXfs')
const STYLE = xmlName('xf')
const FILL = xmlName('fill')
const FONT = xmlName('font')
const PATTERN = xmlName('patternFill')
const PATTERN_TYPE = xmlName('patternType')
const FOREGROUND = xmlName('fgColor')
const BACKGROUND = xmlName('bgColor')
const FILL_ID = xmlName('fillId')
const FILL_APPLIES = xmlName('applyFill')
const COUNT = xmlName('count')

/** A shade of light red of our own, by which a fill is known again. */
const SHADE = 'rgb="FFFFC7CD"'
/** The background of a fill with a single colour. */
const AUTOMATIC = 'indexed="64"'
const BOLD_XML = '<font><b/><sz val="11"/><name val="Calibri"/></font>'
const LINK_XML = '<font><u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/></font>'

/** What a sheet of styles has of itself, for one that has none of it. */
const FIRST = {
  fonts: ['<font><sz val="11"/><name val="Calibri"/></font>'],
  fills: [
    '<fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill>',
  ],
  styles: ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>'],
}

/** Lists that may be missing are put before the first of what comes after them. */
const ORDER = [
  'numFmts',
  'fonts',
  'fills',
  'borders',
  'cellStyleXfs',
  'cellXfs',
  'cellStyles',
  'dxfs',
  'tableStyles',
  'colors',
  'extLst',
].map(xmlName)

const OWN_FONTS = [BOLD_XML, LINK_XML]
/** Of the list of errors: its header, its links, its texts. */
const OWN_STYLES = 3

const LISTS = [
  { name: 'fonts', element: FONTS },
  { name: 'fills', element: FILLS },
  { name: 'cellXfs', element: CELL_STYLES },
] as const

const ownStyle = (font: number, within = '') =>
  `<xf numFmtId="0" fontId="${font}" fillId="0" borderId="0" applyFont="1" applyAlignment="1">${within}</xf>`

interface Fill {
  isSolid: boolean
  /** Colours, as they are written. */
  foreground: string
  background: string
}

interface StyleFacts {
  readonly fonts: number
  readonly fills: readonly Fill[]
  /** The fill of each style. */
  readonly fillIds: readonly number[]
}

/** The styles of a workbook, and those that its marked cells and its list of errors need. */
export class MarkedStyles {
  readonly header: number
  readonly link: number
  readonly text: number
  readonly #facts: StyleFacts
  readonly #firstFill: number
  readonly #firstStyle: number
  readonly #fills: string[] = []
  readonly #styles: { readonly base: number; readonly fillId: number }[] = []
  readonly #ids = new Map<string, number>()

  static async read(archive: WorkbookArchive, part: string | null): Promise<MarkedStyles> {
    const content = part === null ? null : await archive.open(part)
    const fillIds: number[] = []
    const fills: Fill[] = []
    let fonts = 0
    let within = 0
    if (content !== null) {
      await scanPart(content, {
        open(name, attributes) {
          const fill = fills.at(-1)
          if (name === FONTS || name === FILLS || name === CELL_STYLES) within = name
          else if (within === FONTS && name === FONT) fonts += 1
          else if (within === CELL_STYLES && name === STYLE) {
            fillIds.push(Number(attributes.text(FILL_ID) ?? 0))
          } else if (within !== FILLS) return
          else if (name === FILL) fills.push({ isSolid: false, foreground: '', background: '' })
          else if (name === PATTERN) fill!.isSolid = attributes.text(PATTERN_TYPE) === 'solid'
          else if (name === FOREGROUND) fill!.foreground = written(attributes)
          else if (name === BACKGROUND) fill!.background = written(attributes)
        },
        close(name) {
          if (name === within) within = 0
        },
        text() {},
      })
    }
    return new MarkedStyles({ fonts, fills, fillIds })
  }

  private constructor(facts: StyleFacts) {
    this.#facts = facts
    this.#firstFill = Math.max(facts.fills.length, FIRST.fills.length)
    this.header = Math.max(facts.fillIds.length, FIRST.styles.length)
    this.link = this.header + 1
    this.text = this.header + 2
    this.#firstStyle = this.header + 3
  }

  /** Whether cells may be marked, as those of a workbook that was given back before. */
  get areMarked(): boolean {
    return this.#facts.fills.some(isShade)
  }

  /**
   * What a cell of this style gets: marked if it is at fault, and as it was if it was marked before.
   * The colour that a mark covers is kept behind it.
   */
  styleFor(style: number, isMarked: boolean): number {
    const own = this.#facts.fills[this.#facts.fillIds[style] ?? 0]
    const wasMarked = own !== undefined && isShade(own)
    if (isMarked === wasMarked) return style
    const key = `${style}`
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const id = this.#firstStyle + this.#styles.length
    this.#styles.push({ base: style, fillId: isMarked ? this.#shadeOver(own) : this.#below(own!) })
    this.#ids.set(key, id)
    return id
  }

  /** The part with what was added; `archive` may have none. */
  async *edited(archive: WorkbookArchive, part: string | null, namespace: string) {
    const content = part === null ? null : await archive.open(part)
    if (content !== null) yield* editedPart(content, (edits) => this.#adding(edits))
    else {
      const lists = LISTS.map(({ name, element }) => listOf(name, this.#contents(element, []), ''))
      yield `${XML_START}<styleSheet xmlns="${namespace}">${lists.join('')}</styleSheet>`
    }
  }

  #adding(edits: PartEdits): XmlHandler {
    const wanted = new Set(this.#styles.map(({ base }) => base))
    const bases: StyleCopy[] = []
    const listed = LISTS.map(({ name, element }) => ({
      name,
      element,
      contents: () => this.#contents(element, bases),
      appending: new Appending(edits, element, (prefix) =>
        prefixed(this.#contents(element, bases).join(''), prefix),
      ),
    }))
    let depth = 0
    let prefix = ''
    let styles = 0
    let within = 0
    let copied: StyleCopy | null = null
    const addMissing = (before: number) => {
      for (const list of listed) {
        if (list.appending.isFound || ORDER.indexOf(list.element) >= before) continue
        list.appending.isFound = true
        edits.before(listOf(list.name, list.contents(), prefix))
      }
    }
    return {
      open: (name, attributes) => {
        depth += 1
        if (depth === 1) prefix = prefixOf(attributes)
        if (depth === 2) {
          within = name
          const place = ORDER.indexOf(name)
          if (place !== -1) addMissing(place)
          const count = this.#countOf(name)
          if (count !== null) edits.setAttribute(attributes, COUNT, 'count', String(count))
        }
        if (depth === 3 && within === CELL_STYLES && name === STYLE) {
          copied = wanted.has(styles) ? new StyleCopy(attributes) : null
          if (copied !== null) bases[styles] = copied
          styles += 1
        } else if (depth > 3) copied?.open(attributes)
        for (const { appending } of listed) if (depth === 2) appending.open(name, attributes)
      },
      close: (name) => {
        depth -= 1
        if (depth > 2) copied?.close()
        else copied = null
        if (depth === 1) for (const { appending } of listed) appending.close(name)
        if (depth === 0) addMissing(ORDER.length)
      },
      text() {},
    }
  }

  #countOf(list: number): number | null {
    const { fonts, fills, fillIds } = this.#facts
    if (list === FONTS) return Math.max(fonts, FIRST.fonts.length) + OWN_FONTS.length
    if (list === FILLS) return Math.max(fills.length, FIRST.fills.length) + this.#fills.length
    if (list !== CELL_STYLES) return null
    return Math.max(fillIds.length, FIRST.styles.length) + OWN_STYLES + this.#styles.length
  }

  /** What is added to a list; to one that is empty, what it begins with as well. */
  #contents(list: number, bases: readonly StyleCopy[]): readonly string[] {
    const { fonts, fills, fillIds } = this.#facts
    if (list === FONTS) return [...(fonts === 0 ? FIRST.fonts : []), ...OWN_FONTS]
    if (list === FILLS) return [...(fills.length === 0 ? FIRST.fills : []), ...this.#fills]
    const bold = Math.max(fonts, FIRST.fonts.length)
    return [
      ...(fillIds.length === 0 ? FIRST.styles : []),
      ownStyle(bold),
      ownStyle(bold + 1),
      ownStyle(0, '<alignment vertical="top" wrapText="1"/>'),
      ...this.#styles.map(({ base, fillId }) => (bases[base] ?? bases[0] ?? PLAIN).with(fillId)),
    ]
  }

  #shadeOver(own: Fill | undefined): number {
    const covered = own?.isSolid === true && own.foreground !== '' ? own.foreground : AUTOMATIC
    return this.#addFill(SHADE, covered)
  }

  #below({ background }: Fill): number {
    return background === AUTOMATIC || background === '' ? 0 : this.#addFill(background, AUTOMATIC)
  }

  #addFill(foreground: string, background: string): number {
    const xml = `<fill><patternFill patternType="solid"><fgColor ${foreground}/><bgColor ${background}/></patternFill></fill>`
    const known = this.#fills.indexOf(xml)
    return this.#firstFill + (known === -1 ? this.#fills.push(xml) - 1 : known)
  }
}

const isShade = ({ isSolid, foreground }: Fill): boolean => isSolid && foreground === SHADE

/** All attributes of a tag. */
const written = (attributes: XmlAttributes, without: readonly number[] = []): string =>
  Array.from({ length: attributes.count }, (_, index) => index)
    .filter((index) => !without.includes(attributes.name[index]!))
    .map((index) => `${attributes.nameOf(index)}="${xmlAttribute(attributes.value(index))}"`)
    .join(' ')

/** A style to be repeated with another fill. */
class StyleCopy {
  readonly #attributes: string
  #content = ''
  readonly #open: string[] = []

  constructor(attributes: XmlAttributes | null) {
    this.#attributes =
      attributes === null
        ? 'numFmtId="0" fontId="0" borderId="0"'
        : written(attributes, [FILL_ID, FILL_APPLIES])
  }

  open(attributes: XmlAttributes): void {
    const name = attributes.tagName()
    this.#content += `<${name} ${written(attributes)}>`
    this.#open.push(name)
  }

  close(): void {
    this.#content += `</${this.#open.pop()}>`
  }

  with(fillId: number): string {
    return `<xf ${this.#attributes} fillId="${fillId}" applyFill="1">${this.#content}</xf>`
  }
}

const PLAIN = new StyleCopy(null)

const listOf = (name: string, contents: readonly string[], prefix: string): string =>
  prefixed(`<${name} count="${contents.length}">${contents.join('')}</${name}>`, prefix)

/** Our elements have the prefix of those around them. */
const prefixed = (xml: string, prefix: string): string =>
  prefix === '' ? xml : xml.replaceAll(WITHOUT_PREFIX, (_, slash: string) => `<${slash}${prefix}`)
const WITHOUT_PREFIX = /<(\/?)(?=[^\s:<>/]{1,200}[\s>/])/g
