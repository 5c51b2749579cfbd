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

/** Recognised by length and first letter, since this runs for every cell. */
const TYPES: readonly (readonly [name: string, type: CellType])[] = [
  ['n', CellType.number],
  ['s', CellType.sharedString],
  ['str', CellType.text],
  ['inlineStr', CellType.text],
  ['b', CellType.boolean],
  ['e', CellType.error],
  ['d', CellType.isoDate],
]
const TYPE_OF = new Map(
  TYPES.map(([name, type]) => [signature(name.length, name.charCodeAt(0)), type]),
)

export function cellType(bytes: Buffer, start: number, end: number): CellType {
  return TYPE_OF.get(signature(end - start, bytes[start]!)) ?? CellType.text
}

function signature(length: number, firstLetter: number): number {
  return length * 256 + firstLetter
}
