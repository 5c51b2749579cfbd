import { builtinFormat } from './builtin-formats.ts'
import { CellFormat } from './cell-format.ts'
import { classifyFormat } from './classify-format.ts'
import { type DigitPattern, digitPattern } from './digit-pattern.ts'

/** What the styles of a workbook make of a number. */
export interface StyleFormats {
  /** `CellFormat` by style. */
  readonly styles: Uint8Array
  /** By style, where its format is one of fixed digits. */
  readonly digits: ReadonlyMap<number, DigitPattern>
}

/** `ids`: the number of its format, by style; `codes`: of the formats that the workbook brings along. */
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
