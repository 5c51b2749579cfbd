import { CellKind } from '../../../core/batch.ts'
import { CellFormat } from '../formats/cell-format.ts'
import type { StyleFormats } from '../formats/style-formats.ts'
import type { RowBlock } from '../blocks/row-block.ts'
import { decodeExcelEscapes } from '../strings/excel-escapes.ts'
import type { StringStore } from '../strings/string-store.ts'
import { CellType } from './cell-type.ts'
import { isoDateCell } from './iso-date-cell.ts'
import { canonicalDouble, canonicalNumber, isCanonicalNumber } from '../../texts/number-text.ts'
import { type DateSystem, serialDate, serialDuration, serialTime } from './serial-date.ts'

/** What the cells of a sheet refer to. */
export interface CellContext extends StyleFormats {
  readonly strings: StringStore
  /** 1 for a style that is bold. */
  readonly bold: Uint8Array
  readonly dateSystem: DateSystem
}

const SPACE = 0x20

/** The cell has no value: an error, or nothing at all. */
export const NO_VALUE = -1
/** The cell names a shared string that does not exist. */
export const NO_SUCH_STRING = -2

/**
 * The cell's raw text is at the end of the block, from `start`. Replaces it with its canonical
 * text and returns the kind, or one of the two codes above.
 */
export function writeCell(
  block: RowBlock,
  start: number,
  type: CellType,
  style: number,
  context: CellContext,
): number {
  switch (type) {
    case CellType.number:
      return writeNumber(block, start, style, context)
    case CellType.sharedString:
      return writeSharedString(block, start, context.strings)
    case CellType.text:
      block.used = decodeExcelEscapes(block.bytes, start, block.used)
      return CellKind.text
    case CellType.boolean:
      return writeBoolean(block, start)
    case CellType.error:
      return NO_VALUE
    case CellType.isoDate: {
      const { text, kind } = isoDateCell(rawText(block, start))
      return replace(block, start, text, kind)
    }
  }
}

function writeNumber(block: RowBlock, start: number, style: number, context: CellContext): number {
  if (block.used === start) return NO_VALUE
  const { styles } = context
  const format = style < styles.length ? styles[style]! : CellFormat.number
  if (format !== CellFormat.number) {
    const raw = rawText(block, start).trim()
    const value = raw === '' ? Number.NaN : Number(raw)
    const kind = writeFormatted(block, start, value, style, context)
    if (kind !== null) return kind
  }
  if (isCanonicalNumber(block.bytes, start, block.used)) return CellKind.number
  const number = canonicalNumber(rawText(block, start))
  return number === null ? CellKind.text : replace(block, start, number, CellKind.number)
}

/** For a number that does not exist as text: writes it at the end of the block, as its style shows it. */
export function writeNumberValue(
  block: RowBlock,
  start: number,
  value: number,
  style: number,
  context: NumberContext,
): number {
  const { styles } = context
  const format = style < styles.length ? styles[style]! : CellFormat.number
  const kind =
    format === CellFormat.number ? null : writeFormatted(block, start, value, style, context)
  return kind ?? replace(block, start, canonicalDouble(value), CellKind.number)
}

type NumberContext = Omit<CellContext, 'strings' | 'bold'>

/** Null if its format cannot show the number, which then counts as a plain one. */
function writeFormatted(
  block: RowBlock,
  start: number,
  value: number,
  style: number,
  { styles, digits, dateSystem }: NumberContext,
): number | null {
  const format = styles[style]!
  if (format !== CellFormat.fixedDigits) {
    return writeSerial(block, start, value, format, dateSystem)
  }
  const shown = digits.get(style)?.show(value) ?? null
  return shown === null ? null : replace(block, start, shown, CellKind.shownDigits)
}

function writeSerial(
  block: RowBlock,
  start: number,
  serial: number,
  format: number,
  dateSystem: DateSystem,
): number | null {
  if (format === CellFormat.date) {
    const date = serialDate(serial, dateSystem)
    return date && replace(block, start, date.text, date.real ? CellKind.date : CellKind.text)
  }
  const text =
    format === CellFormat.duration || format === CellFormat.preciseDuration
      ? serialDuration(serial, format === CellFormat.preciseDuration)
      : serialTime(serial, format === CellFormat.preciseTime)
  return text === null ? null : replace(block, start, text, CellKind.text)
}

function writeSharedString(block: RowBlock, start: number, strings: StringStore): number {
  if (block.used === start) return NO_VALUE
  let index = 0
  for (let at = start; at < block.used; at += 1) {
    const byte = block.bytes[at]!
    const digit = byte - 0x30
    if (digit >= 0 && digit <= 9) index = index * 10 + digit
    // Indented XML has white space here.
    else if (byte > SPACE) return NO_SUCH_STRING
  }
  block.used = start
  return strings.appendTo(block, index) ? CellKind.text : NO_SUCH_STRING
}

function writeBoolean(block: RowBlock, start: number): number {
  if (block.used === start) return NO_VALUE
  const text = rawText(block, start).trim()
  if (text === '1' || text === 'true') return replace(block, start, 'true', CellKind.boolean)
  if (text === '0' || text === 'false') return replace(block, start, 'false', CellKind.boolean)
  return CellKind.text
}

function rawText(block: RowBlock, start: number): string {
  return block.bytes.toString('utf8', start, block.used)
}

function replace(block: RowBlock, start: number, text: string, kind: CellKind): number {
  block.used = start
  block.appendText(text)
  return kind
}
