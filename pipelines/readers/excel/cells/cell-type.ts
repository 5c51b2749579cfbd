/** The `t` of a cell. */
export const CellType = {
  number: 0,
  sharedString: 1,
  /** Text in the cell itself: the result of a formula, or an inline string. */
  text: 2,
  boolean: 3,
  error: 4,
  isoDate: 5,
} as const
export type CellType = (typeof CellType)[keyof typeof CellType]

const TYPES: Readonly<Record<string, CellType>> = {
  n: CellType.number,
  s: CellType.sharedString,
  str: CellType.text,
  inlineStr: CellType.text,
  b: CellType.boolean,
  e: CellType.error,
  d: CellType.isoDate,
}

export function cellType(bytes: Buffer, start: number, end: number): CellType {
  if (end - start === 1) {
    if (bytes[start] === 0x73) return CellType.sharedString
    if (bytes[start] === 0x6e) return CellType.number
  }
  const name = bytes.toString('latin1', start, end)
  return Object.hasOwn(TYPES, name) ? TYPES[name]! : CellType.text
}
