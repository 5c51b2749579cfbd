import { EngineError } from '../../../core/errors.ts'
import type { WorkbookArchive } from '../archive/open-archive.ts'
import { type StyleFormats, styleFormats } from '../formats/style-formats.ts'
import { scanPart } from '../xml/scan-part.ts'
import { xmlName } from '../xml/xml-name.ts'
import { excelMessages } from '../messages/excel-messages.ts'

/** Excel itself allows 65,490 styles and 255 characters in a format. */
const MAX_STYLES = 1_000_000
const MAX_FORMAT_LENGTH = 4096
/** Of all formats together, which are understood in one go. */
const MAX_FORMATS_LENGTH = 1_000_000

const NUMBER_FORMATS = xmlName('numFmts')
const NUMBER_FORMAT = xmlName('numFmt')
const CELL_STYLES = xmlName('cellXfs')
const STYLE = xmlName('xf')
const FORMAT_ID = xmlName('numFmtId')
const FORMAT_CODE = xmlName('formatCode')
const FONTS = xmlName('fonts')
const FONT = xmlName('font')
const BOLD = xmlName('b')
const FONT_ID = xmlName('fontId')
const VALUE = xmlName('val')

/** How a cell is shown, by the style that it names. */
interface Styles extends StyleFormats {
  /** 1 where it is bold. */
  readonly bold: Uint8Array
}

export async function readStyles(archive: WorkbookArchive, part: string | null): Promise<Styles> {
  const content = part === null ? null : await archive.open(part)
  if (content === null) return { ...styleFormats([], new Map()), bold: new Uint8Array(0) }
  const custom = new Map<number, string>()
  /** Only known at the end: some programs write the formats after the styles that use them. */
  const formatIds: number[] = []
  const fontIds: number[] = []
  const boldFonts = new Set<number>()
  let fonts = 0
  let formatsLength = 0
  let inFonts = false
  let inCellStyles = false
  let inNumberFormats = false
  await scanPart(content, {
    open(name, attributes) {
      if (name === CELL_STYLES) inCellStyles = true
      else if (name === NUMBER_FORMATS) inNumberFormats = true
      else if (name === FONTS) inFonts = true
      else if (name === FONT && inFonts) fonts += 1
      else if (name === BOLD && inFonts) {
        if (!/^(?:0|false)$/.test(attributes.text(VALUE) ?? '')) boldFonts.add(fonts - 1)
      } else if (name === STYLE && inCellStyles) {
        if (formatIds.length === MAX_STYLES) throw tooManyStyles()
        formatIds.push(Number(attributes.text(FORMAT_ID) ?? 0))
        fontIds.push(Number(attributes.text(FONT_ID) ?? 0))
      } else if (name === NUMBER_FORMAT && inNumberFormats) {
        if (custom.size === MAX_STYLES) throw tooManyStyles()
        const code = (attributes.text(FORMAT_CODE) ?? '').slice(0, MAX_FORMAT_LENGTH)
        formatsLength += code.length
        if (formatsLength > MAX_FORMATS_LENGTH) throw longFormats()
        custom.set(Number(attributes.text(FORMAT_ID)), code)
      }
    },
    close(name) {
      if (name === CELL_STYLES) inCellStyles = false
      else if (name === NUMBER_FORMATS) inNumberFormats = false
      else if (name === FONTS) inFonts = false
    },
    text() {},
  })
  return {
    ...styleFormats(formatIds, custom),
    bold: Uint8Array.from(fontIds, (id) => (boldFonts.has(id) ? 1 : 0)),
  }
}

const longFormats = () =>
  new EngineError(excelMessages.longFormats({ most: MAX_FORMATS_LENGTH }), {
    kind: 'limit',
    limit: 'styles',
  })

function tooManyStyles(): EngineError {
  return new EngineError(excelMessages.manyStyles({ most: MAX_STYLES }), {
    kind: 'limit',
    limit: 'styles',
  })
}
