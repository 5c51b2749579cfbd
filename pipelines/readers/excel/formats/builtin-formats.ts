import { CellFormat } from './cell-format.ts'

/**
 * Formats that a workbook names by number alone. 27–36 and 50–58 are those of East Asian Excels;
 * 32–35 and 55–56 show a time there, the others a day.
 */
const BUILTIN: readonly { from: number; to: number; format: CellFormat }[] = [
  { from: 14, to: 17, format: CellFormat.date },
  { from: 18, to: 21, format: CellFormat.time },
  { from: 22, to: 22, format: CellFormat.date },
  { from: 27, to: 31, format: CellFormat.date },
  { from: 32, to: 35, format: CellFormat.time },
  { from: 36, to: 36, format: CellFormat.date },
  { from: 45, to: 45, format: CellFormat.time },
  { from: 46, to: 46, format: CellFormat.duration },
  { from: 47, to: 47, format: CellFormat.preciseTime },
  { from: 50, to: 54, format: CellFormat.date },
  { from: 55, to: 56, format: CellFormat.time },
  { from: 57, to: 58, format: CellFormat.date },
]

export function builtinFormat(id: number): CellFormat {
  return BUILTIN.find(({ from, to }) => id >= from && id <= to)?.format ?? CellFormat.number
}
