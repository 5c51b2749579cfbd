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
  /** What the reader knows of a cell beyond its text; null where every cell is plain text. */
  readonly kinds: Uint8Array | null
  /** Cells of each row; columns beyond have no value in it. */
  readonly width: number
  readonly rows: number
  /** Ordinal of the first row among the data rows of its source, counted from 1. */
  readonly firstRow: number
  /** The line on which each row begins, counted from 1; null where lines mean nothing. */
  readonly lines: Int32Array | null
  /** Rows whose structure is broken, in row order. Their cells hold what could be read. */
  readonly faults: readonly RowFault[]
}

export interface RowFault {
  /** Index of the row inside its batch. */
  readonly row: number
  readonly message: Message
  /** Where it breaks, if not on the line on which the row begins. */
  readonly line?: number
}

export const NULL_CELL = -1

/** A cell that is not plain text carries its canonical text: `-12.5`, `true`, ISO 8601, JSON. */
export const CellKind = {
  text: 0,
  number: 1,
  boolean: 2,
  date: 3,
  json: 4,
  /** A date also where it is a day that programs write for "no date". */
  exactDate: 5,
  /**
   * A number as a format of fixed digits shows it: `01000`, `06 12 34 56 78`. To a column of another
   * type than text it is the number, which is its digits.
   */
  shownDigits: 6,
} as const
export type CellKind = (typeof CellKind)[keyof typeof CellKind]

export function cellText(batch: Batch, row: number, column: number): string | null {
  const cell = row * batch.width + column
  const end = batch.end[cell]!
  return end === NULL_CELL ? null : batch.bytes.toString('utf8', batch.start[cell], end)
}
