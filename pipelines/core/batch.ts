import type { Message } from './message.ts'

/**
 * Rows travel as byte ranges, not as JavaScript strings: one buffer, and for every cell where it
 * begins and ends. Nothing is allocated per cell, so the engine keeps up with the database.
 *
 * A batch owns its memory. Whoever receives it may keep it (the sample does) and may rewrite its
 * ranges in place (transforms do); nobody else holds it.
 */
export interface Batch {
  /** UTF-8, with the reader's own syntax (quotes, escapes) already undone. */
  readonly bytes: Buffer
  /** Cell k = row * width + column begins at `start[k]`, which is never below 0 ... */
  readonly start: Int32Array
  /** ... and ends before `end[k]`; `NULL_CELL` where the cell has no value at all. */
  readonly end: Int32Array
  /** The kind of each cell, if the reader knows more than its text; null if every cell is plain text. */
  readonly kinds: Uint8Array | null
  /** The number of cells in each row; columns beyond it have no value in this batch. */
  readonly width: number
  readonly rows: number
  /** Ordinal of the first row among the data rows of its source, counted from 1. */
  readonly firstRow: number
  /** The line on which each row begins, counted from 1; null if the input has no lines. */
  readonly lines: Int32Array | null
  /** Rows whose structure is broken, in row order. Their cells hold what could be read. */
  readonly faults: readonly RowFault[]
}

export interface RowFault {
  /** Index of the row inside its batch. */
  readonly row: number
  readonly message: Message
  /** Where it breaks, if not on the row's first line. */
  readonly line?: number
}

export const NULL_CELL = -1

/**
 * A cell that is not plain text carries its canonical text: `-12.5`, `true`, ISO 8601, JSON. Behind
 * `shownDigits` it carries no text but the value itself, big-endian; a reading gives such cells only
 * once it was told to (`settle`).
 */
export const CellKind = {
  text: 0,
  number: 1,
  boolean: 2,
  date: 3,
  json: 4,
  /** A date, even if it is a day that programs write for "no date". */
  exactDate: 5,
  /**
   * A number as a format with fixed digits shows it: `01000`, `06 12 34 56 78`. For columns of any
   * type but text it is the number with these digits.
   */
  shownDigits: 6,
  /** A whole number of 64 bits. */
  int64: 7,
  /** Days since 1970-01-01, in 32 bits. */
  day: 8,
  /** Microseconds since 1970-01-01 in UTC, in 64 bits. */
  instant: 9,
  /** One byte, 0 or 1. */
  bit: 10,
  /** One byte for the scale, then the number without its decimal point, as a double. */
  decimal: 11,
} as const
export type CellKind = (typeof CellKind)[keyof typeof CellKind]

/** Whether a cell that is not NULL holds a value instead of text. */
export const isValue = (kind: number): boolean => kind > CellKind.shownDigits

export function cellText(batch: Batch, row: number, column: number): string | null {
  const { bytes, start, end, kinds, width } = batch
  const cell = row * width + column
  if (end[cell] === NULL_CELL) return null
  const kind = kinds?.[cell] ?? CellKind.text
  if (isValue(kind)) return valueText(kind, bytes, start[cell]!)
  return bytes.toString('utf8', start[cell], end[cell])
}

function valueText(kind: number, bytes: Buffer, at: number): string {
  switch (kind) {
    case CellKind.int64:
      return bytes.readBigInt64BE(at).toString()
    case CellKind.day:
      return new Date(bytes.readInt32BE(at) * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length)
    case CellKind.instant:
      return instantText(bytes.readBigInt64BE(at))
    case CellKind.bit:
      return bytes[at] === 0 ? 'false' : 'true'
    default:
      return decimalText(bytes.readDoubleBE(at + 1), bytes[at]!)
  }
}

const DAY_MS = 86_400_000
const MICROSECONDS = 1_000_000n

function instantText(microseconds: bigint): string {
  const fraction = ((microseconds % MICROSECONDS) + MICROSECONDS) % MICROSECONDS
  const seconds = new Date(Number((microseconds - fraction) / 1000n)).toISOString().slice(0, -5)
  // A millionth is the smallest power of ten that JavaScript writes without an exponent.
  const digits = fraction === 0n ? '' : String(Number(fraction) / 1e6).slice(1)
  return `${seconds}${digits}Z`
}

function decimalText(unscaled: number, scale: number): string {
  if (scale === 0) return String(unscaled)
  const digits = String(Math.abs(unscaled)).padStart(scale + 1, '0')
  return `${unscaled < 0 ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
