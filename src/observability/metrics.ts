import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

import type { Counts } from './counts.ts'
import { unlessAborted } from '../time/unless-aborted.ts'
import { RequestDurations, type RequestLabels } from './request-durations.ts'

/** A metric that is computed whenever it is scraped. */
/** How long one process reuses an answer, however many gauges ask for it. */
const FRESH_MS = 5000

/** What several gauges show is asked for once. */
export function askedOnce<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | null = null
  return () => {
    const now = performance.now()
    if (last === null || now - last.at > FRESH_MS) last = { at: now, answer: ask() }
    return last.answer
  }
}

export interface AskedGauge {
  readonly name: string
  readonly help: string
  /** The labels that distinguish several values. */
  readonly labelNames?: readonly string[]
  /** Rejects if the values are not known at the moment; then none are reported. */
  read(): Promise<readonly Reading[]>
}

interface Reading {
  readonly value: number
  readonly labels?: Readonly<Record<string, string>>
}

interface MetricsOptions {
  /** What this process has done since it began. */
  readonly counts?: Pick<Counts, 'write'>
  readonly limitMs?: number
}

/** By default Prometheus waits ten seconds, and treats a slower process as dead. */
const LIMIT_MS = 4000

/** Uses a separate registry, so that two services in one process do not share their counts. */
export function createMetrics(
  asked: readonly AskedGauge[] = [],
  { counts, limitMs = LIMIT_MS }: MetricsOptions = {},
) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new RequestDurations()
  return {
    observeRequest: (labels: RequestLabels, seconds: number): void =>
      durations.observe(labels, seconds),
    /** All metrics in the Prometheus text format. */
    write: async (): Promise<string> => {
      const ofProcess = await registry.metrics()
      const ofWork = (await counts?.write()) ?? ''
      return `${ofProcess}\n${ofWork}\n${await writeAsked(asked, limitMs)}\n${durations.write()}`
    },
    contentType: registry.contentType,
  }
}

export type Metrics = ReturnType<typeof createMetrics>

/** Values of the previous scrape are discarded, since they would be reported as current. */
async function writeAsked(asked: readonly AskedGauge[], limitMs: number): Promise<string> {
  const registry = new Registry()
  const limit = AbortSignal.timeout(limitMs)
  const found = await Promise.all(
    asked.map(({ read }) => unlessAborted(limit, read()).catch(() => [])),
  )
  for (const [at, { name, help, labelNames = [] }] of asked.entries()) {
    const readings: readonly Reading[] = found[at]!
    if (readings.length === 0) continue
    const gauge = new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] })
    for (const { labels = {}, value } of readings) gauge.set(labels, value)
  }
  return registry.metrics()
}
