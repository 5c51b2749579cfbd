import { EngineError } from '../../../core/errors.ts'
import type { Archive } from '../archive/open-archive.ts'
import { builtinFormat } from '../formats/builtin-formats.ts'
import type { CellFormat } from '../formats/cell-format.ts'
import { classifyFormat } from '../formats/classify-format.ts'
import { scanPart } from '../xml/scan-part.ts'
import { xmlName } from '../xml/xml-name.ts'

/** Excel itself allows 65,490 styles and 255 characters in a format. */
const MAX_STYLES = 1_000_000
const MAX_FORMAT_LENGTH = 4096

const NUMBER_FORMATS = xmlName('numFmts')
const NUMBER_FORMAT = xmlName('numFmt')
const CELL_STYLES = xmlName('cellXfs')
const STYLE = xmlName('xf')
const FORMAT_ID = xmlName('numFmtId')
const FORMAT_CODE = xmlName('formatCode')

/** For each style a cell may name, what it makes of a number. */
export async function readStyles(archive: Archive, part: string | null): Promise<Uint8Array> {
  const content = part === null ? null : await archive.open(part)
  if (content === null) return new Uint8Array(0)
  const custom = new Map<number, CellFormat>()
  /** Known only at the end: some programs write the formats behind the styles that use them. */
  const formatIds: number[] = []
  let inCellStyles = false
  let inNumberFormats = false
  await scanPart(content, {
    open(name, attributes) {
      if (name === CELL_STYLES) inCellStyles = true
      else if (name === NUMBER_FORMATS) inNumberFormats = true
      else if (name === STYLE && inCellStyles) {
        if (formatIds.length === MAX_STYLES) throw tooManyStyles()
        formatIds.push(Number(attributes.text(FORMAT_ID) ?? 0))
      } else if (name === NUMBER_FORMAT && inNumberFormats) {
        if (custom.size === MAX_STYLES) throw tooManyStyles()
        const code = (attributes.text(FORMAT_CODE) ?? '').slice(0, MAX_FORMAT_LENGTH)
        custom.set(Number(attributes.text(FORMAT_ID)), classifyFormat(code))
      }
    },
    close(name) {
      if (name === CELL_STYLES) inCellStyles = false
      else if (name === NUMBER_FORMATS) inNumberFormats = false
    },
    text() {},
  })
  return Uint8Array.from(formatIds, (id) => custom.get(id) ?? builtinFormat(id))
}

function tooManyStyles(): EngineError {
  return new EngineError(`The workbook has more than ${MAX_STYLES} cell styles.`, {
    kind: 'limit',
    limit: 'styles',
  })
}
