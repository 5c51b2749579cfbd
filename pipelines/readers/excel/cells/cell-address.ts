import { columnLetters } from '../../../cells/column-letters.ts'

/** The last column and row that a sheet can have: XFD1048576. */
export const MAX_SHEET_COLUMNS = 16_384
export const MAX_SHEET_ROWS = 1_048_576

/** Column of a cell reference such as `AB12`, counted from 0; -1 when there is none. */
export function columnOfReference(bytes: Buffer, start: number, end: number): number {
  let column = 0
  let at = start
  for (; at < end; at += 1) {
    // Folds lower case, which some programs write.
    const letter = bytes[at]! & 0xdf
    if (letter < 0x41 || letter > 0x5a) break
    column = column * 26 + letter - 0x40
    if (column > MAX_SHEET_COLUMNS) return -1
  }
  return column - 1
}

/** `Feuil1!B12`; a sheet name with anything but letters, digits and `_` is quoted, as in a formula. */
export function cellPlace(sheet: string, column: number, rowNumber: number): string {
  const plain = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(sheet)
  const name = plain ? sheet : `'${sheet.replaceAll("'", "''")}'`
  return `${name}!${columnLetters(column)}${rowNumber}`
}
