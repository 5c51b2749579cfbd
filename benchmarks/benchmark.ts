import type { IngestOptions } from '../pipelines/index.ts'

/** One thing that is measured: contenders that do the same work, in turns, in the same run. */
export interface BenchmarkCase {
  readonly name: string
  readonly summary: string
  /** How much a full run does: rows, documents, requests. `--rows` says otherwise. */
  readonly rows: number
  /** Run only where it is named: not everybody has one. */
  readonly needsCluster?: boolean
  run(options: BenchmarkOptions): Promise<BenchmarkResult>
}

export interface BenchmarkOptions {
  readonly rows: number
  readonly runs: number
  /** Where the tables go; null: an embedded server, made for the occasion. */
  readonly databaseUrl: string | null
  /** What is known about a file of the user's own. */
  readonly options: IngestOptions
}

export interface BenchmarkResult {
  /** What was worked on: “2,000,000 rows, 11 columns, 218 MiB”. */
  readonly input: string
  /** Of that input; null where speed is not told by size. */
  readonly rows: number | null
  readonly bytes: number | null
  readonly contenders: readonly MeasuredContender[]
  readonly figures: readonly Figure[]
  /** What a reader has to know to read the numbers rightly. */
  readonly caveats: readonly string[]
}

const UNITS = ['s', 'requests/s', 'blocks'] as const
/** Less is better of seconds and of blocks of the database that are read, more of requests a second. */
export type Unit = (typeof UNITS)[number]

export const isLessBetter = (unit: Unit): boolean => unit !== 'requests/s'

export interface MeasuredContender {
  readonly name: string
  readonly unit: Unit
  /** One value for each run, in their order. */
  readonly samples: readonly number[]
  /** Highest resident memory of its process over all runs; null where it is not ours to see. */
  readonly peakRssBytes: number | null
  /** Told apart in plots from what it is compared with. */
  readonly isOurs?: boolean
}

/** A figure to hold: what was found, and the bounds it has to keep. */
export interface Figure {
  readonly what: string
  readonly found: number
  readonly atLeast?: number
  readonly atMost?: number
}

export function isReached({
  found,
  atLeast = 0,
  atMost = Number.POSITIVE_INFINITY,
}: Figure): boolean {
  return found >= atLeast && found <= atMost
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** How many times as fast the first is as the second, by their medians. */
export function timesAsFast(first: MeasuredContender, second: MeasuredContender): number {
  const ratio = median(second.samples) / median(first.samples)
  return isLessBetter(first.unit) ? ratio : 1 / ratio
}

/** How many times as long the first takes as the second, by their medians. */
export const timesAsLong = (first: MeasuredContender, second: MeasuredContender): number =>
  timesAsFast(second, first)

/**
 * The same, by the median of the turns' own ratios: for what differs less than one turn from the next,
 * since what slows a machine down for a while slows both runs of a turn.
 */
export const timesAsLongInTurns = (first: MeasuredContender, second: MeasuredContender): number =>
  median(first.samples.map((sample, turn) => sample / second.samples[turn]!))
