import { builtinFormat } from './builtin-formats.ts'
import { CellFormat } from './cell-format.ts'
import { classifyFormat } from './classify-format.ts'
import { type DigitPattern, digitPattern } from './digit-pattern.ts'

/** How the styles of a workbook show numbers. */
export interface StyleFormats {
  /** `CellFormat` by style. */
  readonly styles: Uint8Array
  /** By style, if its format has fixed digits. */
  readonly digits: ReadonlyMap<number, DigitPattern>
}

/** `ids`: the number of the format, by style; `codes`: the formats that the workbook defines. */
export function styleFormats(
  ids: readonly number[],
  codes: ReadonlyMap<number, string>,
): StyleFormats {
  const kinds = new Map<number, CellFormat>()
  const patterns = new Map<number, DigitPattern>()
  for (const [id, code] of codes) {
    const kind = classifyFormat(code)
    const pattern = kind === CellFormat.number ? digitPattern(code) : null
    if (pattern !== null) patterns.set(id, pattern)
    kinds.set(id, pattern === null ? kind : CellFormat.fixedDigits)
  }
  const digits = new Map<number, DigitPattern>()
  for (const [style, id] of ids.entries()) {
    const pattern = patterns.get(id)
    if (pattern !== undefined) digits.set(style, pattern)
  }
  return { styles: Uint8Array.from(ids, (id) => kinds.get(id) ?? builtinFormat(id)), digits }
}
