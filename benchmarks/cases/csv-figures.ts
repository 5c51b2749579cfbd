import { MiB } from '../../pipelines/index.ts'
import { type Figure, type MeasuredContender, median } from '../benchmark.ts'

/** What is measured, under the names by which the figures speak of it. */
export interface CsvResults {
  readonly copy: MeasuredContender
  /** Less work than the engine's: neither row numbers nor a key. */
  readonly bare: MeasuredContender
  readonly binary: MeasuredContender
  /** COPY with FREEZE into a table of its transaction: what one stream of the very rows takes of the database. */
  readonly floor: MeasuredContender
  readonly usual: MeasuredContender
  readonly duckdb: MeasuredContender
  readonly byDefault: MeasuredContender
  /** With the start and the end of Node, as people call it. */
  readonly byCli: MeasuredContender
  readonly oneStream: MeasuredContender
  readonly twoStreams: MeasuredContender
  /** Shown, and no figure but that its data is the same: it is there for other dialects. */
  readonly general: MeasuredContender
}

/** The engine on the file and on one of ten times the rows, in turns with each other. */
export interface Growth {
  readonly once: MeasuredContender
  readonly tenfold: MeasuredContender
}

/** Holds the results against the figures to reach. */
export function csvFigures(
  { copy, bare, binary, floor, usual, byDefault, byCli, oneStream, twoStreams }: CsvResults,
  { once, tenfold }: Growth,
  tablesAlike: number,
  keepsLittleWal: boolean,
): Figure[] {
  return [
    {
      what: 'of the time of the floor, the whole process',
      found: ratio(byCli, floor),
      ...(keepsLittleWal && { atMost: 1.05 }),
    },
    { what: 'of the time of the floor, from the first statement', found: ratio(byDefault, floor) },
    {
      what: 'of the time of the faster of one and two streams, as many as are chosen',
      found: medianOf(byDefault) / Math.min(...[oneStream, twoStreams].map(medianOf)),
      atMost: 1.05,
    },
    { what: 'of the time of \\copy', found: ratio(byDefault, copy) },
    {
      what: 'of the time of \\copy without row numbers and key',
      found: ratio(byDefault, bare),
      ...(keepsLittleWal ? {} : { atMost: 1 }),
    },
    {
      what: 'of the time of \\copy without row numbers and key, the floor',
      found: ratio(floor, bare),
    },
    {
      what: 'of the time of binary COPY, with one stream',
      found: ratio(oneStream, binary),
      atMost: 1.15,
    },
    { what: 'times as fast as the usual stack', found: ratio(usual, byDefault), atLeast: 4 },
    { what: 'MiB of memory at its peak', found: peak(byDefault) / MiB, atMost: 150 },
    {
      what: 'MiB of memory at the peak of the whole process',
      found: peak(byCli) / MiB,
      atMost: 150,
    },
    {
      what: 'of that memory for ten times the rows',
      found: peak(tenfold) / peak(once),
      atLeast: 0.85,
      atMost: 1.15,
    },
    {
      what: 'of the time for ten times the rows',
      found: ratio(tenfold, once),
      atLeast: 9,
      atMost: 11,
    },
    { what: 'tables that hold the same data, cell by cell', found: tablesAlike, atLeast: 4 },
  ]
}

const medianOf = ({ samples }: MeasuredContender) => median(samples)

const ratio = (one: MeasuredContender, other: MeasuredContender) => medianOf(one) / medianOf(other)

const peak = ({ peakRssBytes }: MeasuredContender) => peakRssBytes ?? 0
