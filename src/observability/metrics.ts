import { collectDefaultMetrics, Gauge, Registry, Counter, Histogram } from 'prom-client'

import { unlessAborted } from '../time/unless-aborted.ts'

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

/** A metric that is computed whenever it is scraped. */
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

interface RequestLabels {
  readonly method: string
  /** The declared route, so that the number of series is bounded. */
  readonly route: string
  readonly status: number
}

interface Series {
  readonly labels: string
  /** The number of requests in each bucket; slower ones are only in `count`. */
  readonly buckets: number[]
  count: number
  seconds: number
}

const NAME = 'http_request_duration_seconds'
const HELP = 'Time from the first byte of a request to the last byte of its answer'
const UPPER_BOUNDS = [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10, 60, 600]

/** A Prometheus histogram. The one of prom-client takes ten microseconds for every request. */
export class RequestDurations {
  readonly #series: Series[] = []
  /**
   * By route and status, then by method: a combined key would have to be built for every request.
   */
  readonly #byRoute = new Map<string, Map<string, Series>[]>()

  observe(request: RequestLabels, seconds: number): void {
    const series = this.#seriesOf(request)
    series.count++
    series.seconds += seconds
    const bucket = UPPER_BOUNDS.findIndex((bound) => seconds <= bound)
    if (bucket !== -1) series.buckets[bucket]!++
  }

  #seriesOf({ method, route, status }: RequestLabels): Series {
    const byStatus = this.#byRoute.get(route) ?? []
    const byMethod = (byStatus[status] ??= new Map<string, Series>())
    const known = byMethod.get(method)
    if (known) return known
    const series = {
      labels: `method="${method}",route="${route}",status="${status}"`,
      buckets: UPPER_BOUNDS.map(() => 0),
      count: 0,
      seconds: 0,
    }
    this.#byRoute.set(route, byStatus)
    byMethod.set(method, series)
    this.#series.push(series)
    return series
  }

  /** In the text format of Prometheus, where a bucket also counts all smaller ones. */
  write(): string {
    const lines = [`# HELP ${NAME} ${HELP}`, `# TYPE ${NAME} histogram`]
    for (const { labels, buckets, count, seconds } of this.#series) {
      let upTo = 0
      for (const [at, bound] of UPPER_BOUNDS.entries()) {
        upTo += buckets[at]!
        lines.push(`${NAME}_bucket{${labels},le="${bound}"} ${upTo}`)
      }
      lines.push(
        `${NAME}_bucket{${labels},le="+Inf"} ${count}`,
        `${NAME}_sum{${labels}} ${seconds}`,
        `${NAME}_count{${labels}} ${count}`,
      )
    }
    return `${lines.join('\n')}\n`
  }
}

export type WorkOutcome = 'succeeded' | 'failed' | 'cancelled'
type LoadOutcome = 'published' | 'staged' | 'failed' | 'cancelled'

const WORK_OUTCOMES: readonly WorkOutcome[] = ['succeeded', 'failed', 'cancelled']
const LOAD_OUTCOMES: readonly LoadOutcome[] = ['published', 'staged', 'failed', 'cancelled']
const MAIL_OUTCOMES = ['sent', 'failed'] as const
const WORK_BOUNDS = [0.1, 0.5, 1, 5, 30, 120, 600, 3600]

interface CountedKinds {
  readonly jobs: readonly string[]
  readonly loads: readonly string[]
}

export interface EndedWork {
  readonly kind: string
  readonly outcome: WorkOutcome
  readonly seconds: number
  readonly rows: number
  readonly rejected: number
  readonly bytes: number
}

/**
 * What this process has done since it began. Every series is there from the start, at 0: a failure
 * that is the first of its kind would otherwise not be seen as an increase.
 */
export function createCounts(kinds: CountedKinds) {
  const registers = [new Registry()]
  const counter = (name: string, help: string, labelNames: readonly string[]) =>
    new Counter({ name, help, labelNames: [...labelNames], registers })

  const jobs = counter('jobs_ended_total', 'Jobs that ended in this process', ['kind', 'outcome'])
  const seconds = new Histogram({
    name: 'job_duration_seconds',
    help: 'Time from the beginning of the last attempt at a job to its end',
    labelNames: ['kind'],
    buckets: WORK_BOUNDS,
    registers,
  })
  const rows = counter('job_rows_total', 'Rows that jobs have loaded or changed', ['kind'])
  const rejected = counter('job_rejected_rows_total', 'Rows that jobs have rejected', ['kind'])
  const bytes = counter('job_bytes_total', 'Bytes that jobs have read', ['kind'])
  const loads = counter('loads_ended_total', 'Loads that ended here', ['kind', 'outcome'])
  const mails = counter('mails_total', 'Mails handed over, or not', ['outcome'])

  for (const kind of kinds.jobs) {
    for (const outcome of WORK_OUTCOMES) jobs.inc({ kind, outcome }, 0)
    for (const counted of [rows, rejected, bytes]) counted.inc({ kind }, 0)
    seconds.zero({ kind })
  }
  for (const kind of kinds.loads) {
    for (const outcome of LOAD_OUTCOMES) loads.inc({ kind, outcome }, 0)
  }
  for (const outcome of MAIL_OUTCOMES) mails.inc({ outcome }, 0)

  return {
    jobEnded(ended: EndedWork): void {
      const { kind, outcome } = ended
      jobs.inc({ kind, outcome })
      seconds.observe({ kind }, ended.seconds)
      rows.inc({ kind }, ended.rows)
      rejected.inc({ kind }, ended.rejected)
      bytes.inc({ kind }, ended.bytes)
    },
    loadEnded: (kind: string, outcome: LoadOutcome): void => loads.inc({ kind, outcome }),
    mailEnded: (outcome: (typeof MAIL_OUTCOMES)[number]): void => mails.inc({ outcome }),
    /** In the Prometheus text format. */
    write: (): Promise<string> => registers[0]!.metrics(),
  }
}

export type Counts = ReturnType<typeof createCounts>
