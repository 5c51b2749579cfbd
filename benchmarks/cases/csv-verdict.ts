import type { Result } from '../support/measure.ts'
import { printTable } from '../support/print-table.ts'

const MiB = 1024 * 1024

/** What is measured, under the names by which the figures speak of it. */
export interface CsvResults {
  readonly copy: Result
  readonly binary: Result
  readonly usual: Result
  readonly byDefault: Result
  readonly oneStream: Result
  readonly twoStreams: Result
}

export interface Workload {
  readonly rows: number
  readonly megabytes: number
}

export function printResults(
  names: Readonly<Record<keyof CsvResults, string>>,
  results: CsvResults,
  { rows, megabytes }: Workload,
): void {
  printTable(
    ['', 'time', 'rows/s', 'MiB/s', 'peak memory', 'against \\copy'],
    Object.entries(names).map(([key, name]) => {
      const { ms, peakRssBytes } = results[key as keyof CsvResults]
      return [
        name,
        `${(ms / 1000).toFixed(2)} s`,
        Math.round((rows * 1000) / ms).toLocaleString('en'),
        ((megabytes * 1000) / ms).toFixed(0),
        peakRssBytes === null ? '' : `${(peakRssBytes / MiB).toFixed(0)} MiB`,
        (ms / results.copy.ms).toFixed(2),
      ]
    }),
  )
}

interface Figure {
  readonly what: string
  readonly found: number
  readonly atLeast?: number
  readonly atMost?: number
}

/** Holds the results against the figures to reach. */
export function printVerdict(results: CsvResults, tenfold: Result, isSame: boolean): boolean {
  const { copy, binary, usual, byDefault, oneStream, twoStreams } = results
  const peak = byDefault.peakRssBytes ?? 0
  const figures: readonly Figure[] = [
    { what: 'of the time of \\copy', found: byDefault.ms / copy.ms, atMost: 0.75 },
    {
      what: 'of the time of binary COPY, with one stream',
      found: oneStream.ms / binary.ms,
      atMost: 1.15,
    },
    {
      what: 'of the time of binary COPY, with several',
      found: twoStreams.ms / binary.ms,
      atMost: 1,
    },
    { what: 'times as fast as the usual stack', found: usual.ms / byDefault.ms, atLeast: 4 },
    { what: 'MiB of memory at its peak', found: peak / MiB, atMost: 220 },
    {
      what: 'of that memory for ten times the rows',
      found: (tenfold.peakRssBytes ?? 0) / peak,
      atLeast: 0.85,
      atMost: 1.15,
    },
    {
      what: 'of the time for ten times the rows',
      found: tenfold.ms / byDefault.ms,
      atLeast: 9,
      atMost: 11,
    },
    { what: 'tables that hold the same data, cell by cell', found: isSame ? 2 : 1, atLeast: 2 },
  ]
  process.stdout.write('\n')
  printTable(
    ['', 'found', 'to reach', ''],
    figures.map((figure) => [
      isReached(figure) ? 'pass' : 'FAIL',
      figure.found.toFixed(2),
      [
        figure.atLeast === undefined ? '' : `≥ ${figure.atLeast}`,
        figure.atMost === undefined ? '' : `≤ ${figure.atMost}`,
      ]
        .join(' ')
        .trim(),
      figure.what,
    ]),
  )
  return figures.every(isReached)
}

function isReached({ found, atLeast = 0, atMost = Number.POSITIVE_INFINITY }: Figure): boolean {
  return found >= atLeast && found <= atMost
}
