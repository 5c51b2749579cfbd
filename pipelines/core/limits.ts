import { MiB } from './mebibyte.ts'

/** Bounds that keep memory and time independent of what someone sends. */
export interface EngineLimits {
  /** Postgres holds 1,600 columns; ten are left for its own needs and `_row`. */
  readonly columns: number
  readonly cellBytes: number
  /**
   * The longest incomplete row; beyond it an OpenRowTooLongError is thrown. For callers that
   * cannot show longer ones.
   */
  readonly openRowBytes: number
  /** The expanded size of a compressed input ... */
  readonly expandedBytes: number
  /** ... and how many times larger than the compressed bytes it may be, after the first MiB. */
  readonly expansionRatio: number
  /** How many times larger than what was sent its text may be in the cells, after the first 64 MiB. */
  readonly textRatio: number
  readonly archiveEntries: number
  readonly jsonDepth: number
  /** Shared strings of a workbook kept in memory before they spill to disk. */
  readonly sharedStringsBytes: number
  readonly sampleRows: number
  readonly sampleBytes: number
}

export const DEFAULT_LIMITS: EngineLimits = {
  columns: 1590,
  cellBytes: 64 * MiB,
  openRowBytes: Infinity,
  expandedBytes: 20 * 1024 * MiB,
  expansionRatio: 200,
  textRatio: 500,
  archiveEntries: 10_000,
  jsonDepth: 200,
  sharedStringsBytes: 8 * MiB,
  sampleRows: 10_000,
  sampleBytes: 16 * MiB,
}
