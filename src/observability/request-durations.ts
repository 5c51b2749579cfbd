export interface RequestLabels {
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
