import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export interface Metrics {
  observeRequest(labels: { method: string; route: string; status: number }, seconds: number): void
  readonly registry: Registry
}

/** A registry of its own, so that two services in one process do not share their counts. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10, 60, 600],
    registers: [registry],
  })
  return {
    registry,
    observeRequest: (labels, seconds) =>
      durations.observe({ ...labels, status: String(labels.status) }, seconds),
  }
}
