import { Worker } from 'node:worker_threads'

const SLICE_MS = 10
const MOST_THREADS = 4

/** Runs as a thread: busy for so much of each slice, and idle for the rest. */
const BUSY_THREAD = `
  const { workerData } = require('node:worker_threads')
  function work() {
    const end = performance.now() + workerData.busyMs
    while (performance.now() < end);
    setTimeout(work, workerData.idleMs)
  }
  work()
`

/**
 * Takes so many processors from the machine and asks the service for nothing: what an attack costs
 * whoever sends it, where that is the machine that is attacked.
 */
export function burden(processors: number): AsyncDisposable {
  const threads = Array.from({ length: Math.min(MOST_THREADS, Math.ceil(processors)) }, (_, at) => {
    const busyMs = Math.min(1, processors - at) * SLICE_MS
    return new Worker(BUSY_THREAD, {
      eval: true,
      workerData: { busyMs, idleMs: SLICE_MS - busyMs },
    })
  })
  return {
    [Symbol.asyncDispose]: async () => {
      await Promise.all(threads.map((thread) => thread.terminate()))
    },
  }
}
