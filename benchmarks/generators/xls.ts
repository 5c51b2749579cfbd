import { ole2 } from './ole2.ts'

const Biff = {
  end: 0x0a,
  font: 0x31,
  continue: 0x3c,
  window: 0x3d,
  codePage: 0x42,
  boundSheet: 0x85,
  xf: 0xe0,
  sst: 0xfc,
  labelSst: 0xfd,
  dimensions: 0x200,
  number: 0x203,
  window2: 0x23e,
  rk: 0x27e,
  style: 0x293,
  begin: 0x809,
} as const

const WORKBOOK = 0x05
const WORKSHEET = 0x10
/** Longer data is continued in a record of its own. */
const MOST_DATA_BYTES = 8224
const UTF16 = 1200
/** Those before it belong to styles. */
const CELL_XF = 15
const LEAST_BEYOND_RK = 2 ** 29

type Cell = string | number

/**
 * A workbook of Excel 97 to 2003 with one sheet. Each text stands once in the file, in Latin-1, and
 * whole numbers are kept as short as Excel itself keeps them.
 */
export function xlsBook(sheetName: string, rows: Iterable<readonly Cell[]>): Buffer {
  const texts = new Texts()
  const sheet = sheetOf(rows, texts)
  const globals = new Records()
  globals.add(Biff.begin, begin(WORKBOOK))
  globals.add(Biff.codePage, uint16s(UTF16))
  globals.add(Biff.window, uint16s(0, 0, 16_000, 9000, 0x38, 0, 0, 1, 600))
  globals.add(Biff.font, uint16s(200, 0, 0x7fff, 400, 0, 0, 0), Buffer.from('\x05\0Arial'))
  for (let xf = 0; xf <= CELL_XF; xf++) {
    const kind = xf === CELL_XF ? 0x0001 : 0xfff5
    globals.add(Biff.xf, uint16s(0, 0, kind, 0x20, 0, 0, 0, 0, 0, 0x20c0))
  }
  globals.add(Biff.style, uint16s(0x8000, 0xff00))
  globals.add(Biff.boundSheet, uint32s(0), uint16s(0, sheetName.length), latin1(sheetName))
  const boundSheetEnd = globals.length
  texts.addTo(globals)
  globals.add(Biff.end)
  const bytes = Buffer.concat([globals.bytes, sheet])
  bytes.writeUInt32LE(globals.length, boundSheetEnd - sheetName.length - 8)
  return ole2('Workbook', bytes)
}

function sheetOf(rows: Iterable<readonly Cell[]>, texts: Texts): Buffer {
  const cells = new Records()
  let height = 0
  let width = 0
  for (const row of rows) {
    for (const [column, value] of row.entries()) {
      const place = uint16s(height, column, CELL_XF)
      if (typeof value === 'string') {
        cells.add(Biff.labelSst, place, uint32s(texts.numberOf(value)))
      } else if (Number.isInteger(value) && Math.abs(value) < LEAST_BEYOND_RK) {
        cells.add(Biff.rk, place, uint32s(((value << 2) | 2) >>> 0))
      } else cells.add(Biff.number, place, double(value))
    }
    height += 1
    width = Math.max(width, row.length)
  }
  const before = new Records()
  before.add(Biff.begin, begin(WORKSHEET))
  before.add(Biff.dimensions, uint32s(0, height), uint16s(0, width, 0))
  cells.add(Biff.window2, uint16s(0x06b6, 0, 0, 64, 0, 0, 0, 0, 0))
  cells.add(Biff.end)
  return Buffer.concat([before.bytes, cells.bytes])
}

/** The texts of all cells, each of them once. */
class Texts {
  readonly #numbers = new Map<string, number>()
  #uses = 0

  numberOf(text: string): number {
    this.#uses += 1
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    this.#numbers.set(text, this.#numbers.size)
    return this.#numbers.size - 1
  }

  addTo(records: Records): void {
    let type: number = Biff.sst
    let parts = [uint32s(this.#uses, this.#numbers.size)]
    let length = 8
    for (const text of this.#numbers.keys()) {
      if (length + 3 + text.length > MOST_DATA_BYTES) {
        records.add(type, ...parts)
        type = Biff.continue
        parts = []
        length = 0
      }
      parts.push(uint16s(text.length), Buffer.from([0]), latin1(text))
      length += 3 + text.length
    }
    records.add(type, ...parts)
  }
}

/** Records one behind the other, in a buffer that grows. */
class Records {
  #held = Buffer.allocUnsafe(1024 * 1024)
  length = 0

  get bytes(): Buffer {
    return this.#held.subarray(0, this.length)
  }

  add(type: number, ...data: readonly Buffer[]): void {
    const size = data.reduce((sum, part) => sum + part.length, 0)
    if (this.length + 4 + size > this.#held.length) {
      this.#held = Buffer.concat([this.bytes], 2 * this.#held.length)
    }
    this.#held.writeUInt16LE(type, this.length)
    this.#held.writeUInt16LE(size, this.length + 2)
    this.length += 4
    for (const part of data) this.length += part.copy(this.#held, this.length)
  }
}

const begin = (kind: number) =>
  Buffer.concat([uint16s(0x0600, kind, 0x0dbb, 0x07cc), uint32s(0, 6)])

const latin1 = (text: string) => Buffer.from(text, 'latin1')

function uint16s(...values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(2 * values.length)
  for (const [at, value] of values.entries()) bytes.writeUInt16LE(value, 2 * at)
  return bytes
}

function uint32s(...values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(4 * values.length)
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value, 4 * at)
  return bytes
}

function double(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeDoubleLE(value)
  return bytes
}
