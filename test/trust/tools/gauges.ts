import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** What was seen of a process while something went on. */
interface Readings {
  /** Above what it was at the beginning. */
  readonly grownBytes: number
  readonly mostBytes: number
  /** Time of the processor that it spent. */
  readonly processorSeconds: number
  readonly eventLoopDelayP99Ms: number
  /** That of this process: how much of it the machine is to blame for. */
  readonly ownDelayP99Ms: number
  /** The slowest answer of /health/live, and how many there were. */
  readonly slowestHealthMs: number
  readonly healthAnswers: number
}

const SAMPLE_EVERY_MS = 200

/** Reads /metrics and /health/live again and again while the work goes on. */
export async function whileMeasuring<T>(
  address: string,
  work: () => Promise<T>,
): Promise<{ result: T; readings: Readings }> {
  const ended = new AbortController()
  const before = await readMetrics(address)
  const sampling = sample(address, ended.signal)
  const own = monitorEventLoopDelay({ resolution: 10 })
  own.enable()
  try {
    const result = await work()
    ended.abort()
    const { mostBytes, ...rest } = await sampling
    const ownDelayP99Ms = own.percentile(99) / 1e6
    const grownBytes = mostBytes - before.residentBytes
    const { processorSeconds: spent } = await readMetrics(address)
    const processorSeconds = spent - before.processorSeconds
    const seen = { mostBytes, grownBytes, processorSeconds, ownDelayP99Ms }
    return { result, readings: { ...rest, ...seen } }
  } finally {
    ended.abort()
    own.disable()
  }
}

type Sampled = Omit<Readings, 'grownBytes' | 'processorSeconds' | 'ownDelayP99Ms'>

async function sample(address: string, ended: AbortSignal): Promise<Sampled> {
  const most = { mostBytes: 0, eventLoopDelayP99Ms: 0, slowestHealthMs: 0, healthAnswers: 0 }
  while (!ended.aborted) {
    const begun = performance.now()
    const live = await fetch(`${address}/health/live`)
    if (live.status !== 200) throw new Error(`/health/live answered ${live.status}`)
    most.slowestHealthMs = Math.max(most.slowestHealthMs, performance.now() - begun)
    most.healthAnswers++
    const { residentBytes, eventLoopDelayP99Ms } = await readMetrics(address)
    most.mostBytes = Math.max(most.mostBytes, residentBytes)
    most.eventLoopDelayP99Ms = Math.max(most.eventLoopDelayP99Ms, eventLoopDelayP99Ms)
    await sleep(SAMPLE_EVERY_MS)
  }
  return most
}

/** What the process holds in memory now, as it tells itself. */
export const residentBytes = async (address: string) => (await readMetrics(address)).residentBytes

async function readMetrics(address: string) {
  const text = await (await fetch(`${address}/metrics`)).text()
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? 0)
  return {
    residentBytes: value('process_resident_memory_bytes'),
    processorSeconds: value('process_cpu_seconds_total'),
    eventLoopDelayP99Ms: value('nodejs_eventloop_lag_p99_seconds') * 1000,
  }
}

export const inMegabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`
