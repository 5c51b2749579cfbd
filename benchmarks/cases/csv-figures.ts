import { type Figure, type MeasuredContender, median } from '../benchmark.ts'

const MiB = 1024 * 1024

/** What is measured, under the names by which the figures speak of it. */
export interface CsvResults {
  readonly copy: MeasuredContender
  /** Shown, and no figure: another table than the engine's. */
  readonly bare: MeasuredContender
  readonly binary: MeasuredContender
  readonly usual: MeasuredContender
  readonly duckdb: MeasuredContender
  readonly byDefault: MeasuredContender
  readonly oneStream: MeasuredContender
  readonly twoStreams: MeasuredContender
}

/** Holds the results against the figures to reach. */
export function csvFigures(
  { copy, binary, usual, byDefault, oneStream, twoStreams }: CsvResults,
  tenfold: MeasuredContender,
  isSame: boolean,
): Figure[] {
  const peak = byDefault.peakRssBytes ?? 0
  return [
    { what: 'of the time of \\copy', found: ratio(byDefault, copy), atMost: 0.75 },
    {
      what: 'of the time of binary COPY, with one stream',
      found: ratio(oneStream, binary),
      atMost: 1.15,
    },
    {
      what: 'of the time of binary COPY, with several',
      found: ratio(twoStreams, binary),
      atMost: 1,
    },
    { what: 'times as fast as the usual stack', found: ratio(usual, byDefault), atLeast: 4 },
    { what: 'MiB of memory at its peak', found: peak / MiB, atMost: 220 },
    {
      what: 'of that memory for ten times the rows',
      found: (tenfold.peakRssBytes ?? 0) / peak,
      atLeast: 0.85,
      atMost: 1.15,
    },
    {
      what: 'of the time for ten times the rows',
      found: ratio(tenfold, byDefault),
      atLeast: 9,
      atMost: 11,
    },
    { what: 'tables that hold the same data, cell by cell', found: isSame ? 2 : 1, atLeast: 2 },
  ]
}

const ratio = (one: MeasuredContender, other: MeasuredContender) =>
  median(one.samples) / median(other.samples)
