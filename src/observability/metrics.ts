import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

import { RequestDurations, type RequestLabels } from './request-durations.ts'

export interface Metrics {
  observeRequest(labels: RequestLabels, seconds: number): void
  /** Everything in the Prometheus text format. */
  write(): Promise<string>
  readonly contentType: string
}

/** A number that is asked for when somebody looks; null: it is not known now. */
export interface AskedGauge {
  readonly name: string
  readonly help: string
  read(): Promise<number | null>
}

/** A registry of its own, so that two services in one process do not share their counts. */
export function createMetrics(asked: readonly AskedGauge[] = []): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const { name, help, read } of asked) {
    const gauge = new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const value = await read()
        if (value === null) gauge.reset()
        else gauge.set(value)
      },
    })
  }
  const durations = new RequestDurations()
  return {
    observeRequest: (labels, seconds) => durations.observe(labels, seconds),
    write: async () => `${await registry.metrics()}\n${durations.write()}`,
    contentType: registry.contentType,
  }
}
