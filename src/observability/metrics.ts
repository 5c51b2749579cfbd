import { collectDefaultMetrics, Registry } from 'prom-client'

import { RequestDurations, type RequestLabels } from './request-durations.ts'

export interface Metrics {
  observeRequest(labels: RequestLabels, seconds: number): void
  /** Everything in the Prometheus text format. */
  write(): Promise<string>
  readonly contentType: string
}

/** A registry of its own, so that two services in one process do not share their counts. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new RequestDurations()
  return {
    observeRequest: (labels, seconds) => durations.observe(labels, seconds),
    write: async () => `${await registry.metrics()}\n${durations.write()}`,
    contentType: registry.contentType,
  }
}
