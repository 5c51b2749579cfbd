import { MiB } from '../../pipelines/index.ts'
import {
  type BenchmarkResult,
  type Figure,
  isReached,
  type MeasuredContender,
  median,
} from '../benchmark.ts'

export interface Table {
  readonly titles: readonly string[]
  /** Columns of words; those after them hold numbers. */
  readonly words: number
  readonly rows: readonly (readonly string[])[]
}

/** The contenders of a case: median and spread of the runs, their number where it differs, speed, memory. */
export function contenderTable({ contenders, rows, bytes }: BenchmarkResult): Table {
  const hasMemory = contenders.some(({ peakRssBytes }) => peakRssBytes !== null)
  const isUneven = new Set(contenders.map(({ samples }) => samples.length)).size > 1
  const optional = [
    ...(isUneven ? ['runs'] : []),
    ...(rows === null ? [] : ['rows/s']),
    ...(bytes === null ? [] : ['MiB/s']),
    ...(hasMemory ? ['peak memory'] : []),
  ]
  return {
    words: 1,
    titles: ['', 'median', 'lowest – highest', ...optional],
    rows: contenders.map((contender) => {
      const { unit, samples, peakRssBytes } = contender
      const middle = median(samples)
      const isTimed = unit === 's'
      return [
        contender.name,
        `${rounded(middle)} ${unit}`,
        `${rounded(Math.min(...samples))} – ${rounded(Math.max(...samples))}`,
        ...(isUneven ? [String(samples.length)] : []),
        ...(rows === null ? [] : [isTimed ? Math.round(rows / middle).toLocaleString('en') : '']),
        ...(bytes === null ? [] : [isTimed ? rounded(bytes / MiB / middle) : '']),
        ...(hasMemory ? [peakRssBytes === null ? '' : memory(peakRssBytes)] : []),
      ]
    }),
  }
}

/** What was to be reached, and whether it was. */
export function figureTable(figures: readonly Figure[]): Table {
  return {
    words: 2,
    titles: ['', '', 'found', 'to reach'],
    rows: figures.map((figure) => {
      const toReach = bounds(figure)
      const outcome = isReached(figure) ? 'pass' : 'FAIL'
      return [toReach === '' ? '' : outcome, figure.what, rounded(figure.found), toReach]
    }),
  }
}

export function rounded(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en')
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)
}

/** How far the runs lie apart, as a share of their median. */
export function spread({ samples }: MeasuredContender): number {
  return (Math.max(...samples) - Math.min(...samples)) / median(samples)
}

const memory = (bytes: number) => `${Math.round(bytes / MiB)} MiB`

function bounds({ atLeast, atMost }: Figure): string {
  const parts = [
    ...(atLeast === undefined ? [] : [`≥ ${atLeast}`]),
    ...(atMost === undefined ? [] : [`≤ ${atMost}`]),
  ]
  return parts.join(' ')
}
