/** Records of BIFF5 and BIFF8, by their numbers. */
export const Biff = {
  formula: 0x06,
  end: 0x0a,
  dateMode: 0x22,
  filePass: 0x2f,
  font: 0x31,
  continue: 0x3c,
  codePage: 0x42,
  boundSheet: 0x85,
  mulRk: 0xbd,
  rString: 0xd6,
  xf: 0xe0,
  mergedCells: 0xe5,
  sst: 0xfc,
  labelSst: 0xfd,
  number: 0x203,
  label: 0x204,
  boolErr: 0x205,
  string: 0x207,
  row: 0x208,
  rk: 0x27e,
  format: 0x41e,
  begin: 0x809,
} as const

/** One record: its type, and its data from `start` to `end` of `bytes`. */
export interface BiffRecord {
  readonly type: number
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
  /** Its position in the stream. */
  readonly at: number
}

const CELLS: ReadonlySet<number> = new Set([
  Biff.labelSst,
  Biff.number,
  Biff.rk,
  Biff.mulRk,
  Biff.boolErr,
  Biff.label,
  Biff.rString,
  Biff.formula,
])

/** Blank cells, which only have a style, are skipped like everything else. */
export function isCell({ type, start, end }: BiffRecord): boolean {
  return CELLS.has(type) && end - start >= 6
}
