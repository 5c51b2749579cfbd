import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

import { residentBytes as bytesBySystem } from '../../../benchmarks/support/resident-memory.ts'
import type { ServerProcess } from '../../support/server-process.ts'

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
  /** The slowest answer of /health/live. */
  readonly slowestHealthMs: number
}

const SAMPLE_EVERY_MS = 200

/** Asks /health/live again and again while the work goes on. */
export async function whileMeasuring<T>(
  { address, pid }: Pick<ServerProcess, 'address' | 'pid'>,
  work: () => Promise<T>,
): Promise<{ result: T; readings: Readings }> {
  const ended = new AbortController()
  // The delay of the event loop is that since /metrics was last read: nobody reads it in between.
  const before = await readMetrics(address)
  const sampling = sample(address, pid, ended.signal)
  const own = monitorEventLoopDelay({ resolution: 10 })
  own.enable()
  try {
    const result = await work()
    ended.abort()
    const sampled = await sampling
    const ownDelayP99Ms = own.percentile(99) / 1e6
    const after = await readMetrics(address)
    const mostBytes = Math.max(sampled.mostBytes, after.residentBytes)
    const readings = {
      mostBytes,
      grownBytes: mostBytes - before.residentBytes,
      processorSeconds: after.processorSeconds - before.processorSeconds,
      eventLoopDelayP99Ms: after.eventLoopDelayP99Ms,
      ownDelayP99Ms,
      slowestHealthMs: sampled.slowestHealthMs,
    }
    return { result, readings }
  } finally {
    ended.abort()
    own.disable()
  }
}

async function sample(address: string, pid: number, ended: AbortSignal) {
  const most = { mostBytes: 0, slowestHealthMs: 0 }
  while (!ended.aborted) {
    const begun = performance.now()
    const live = await fetch(`${address}/health/live`)
    if (live.status !== 200) throw new Error(`/health/live answered ${live.status}`)
    most.slowestHealthMs = Math.max(most.slowestHealthMs, performance.now() - begun)
    most.mostBytes = Math.max(most.mostBytes, bytesBySystem(pid) ?? 0)
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
