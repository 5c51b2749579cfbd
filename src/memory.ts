import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'

import { every } from './every.ts'

/** Both for a process that serves, from its start to its end. */
export function tuneMemory(): Disposable {
  collectLessOften()
  return shrinkWhileIdle()
}

/**
 * Lets the heap grow by half before it is collected whole. Bodies pass by in small buffers outside of
 * it, and V8 would answer every dozen megabytes of an upload by marking everything there is, which
 * takes a quarter of the service's processor time and gives little back: those buffers live for a
 * moment. Much more would let them pile up, and malloc never gives back what it once had for them.
 */
function collectLessOften(): void {
  setFlagsFromString('--heap-growing-percent=50')
}

const LOOK_EVERY_MS = 500
const BUSY_FROM = 0.2
const IDLE_LOOKS = 12
/**
 * As often as this it is asked for what it has grown by, before that counts as what it needs: where a
 * collection is under way already, not everything comes back.
 */
const MOST_ASKED = 3
const WORTH_BYTES = 32 * 1024 * 1024

/** Far more than V8 lets buffers grow by before it begins to collect. */
const ALARMING_BYTES = 256 * 1024 * 1024

/**
 * Gives back what the heap does not need any more when the work is over. V8 looks after that itself,
 * but neither in a process that idles, since one that allocates nothing is never measured again and is
 * taken for as busy as it was, nor for the young part of the heap, which it keeps at its largest. A
 * collection that begins while V8 is told to care for its size gives all of it back.
 */
function shrinkWhileIdle(): Disposable {
  let before: EventLoopUtilization = performance.eventLoopUtilization()
  let idleLooks = 0
  let restingBytes = 0

  return every(LOOK_EVERY_MS, () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization >= BUSY_FROM) {
      if (idleLooks >= IDLE_LOOKS) setFlagsFromString('--no-optimize-for-size')
      idleLooks = 0
      return
    }
    idleLooks++
    const bytes = process.memoryUsage.rss()
    if (idleLooks > MOST_ASKED * IDLE_LOOKS) restingBytes = bytes
    else if (idleLooks % IDLE_LOOKS === 0) {
      setFlagsFromString('--optimize-for-size')
      if (bytes - restingBytes > WORTH_BYTES) collectInSteps()
    }
  })
}

/**
 * In steps of a few milliseconds, as V8 does it when buffers grow; one that is asked for (`gc`) is made
 * in one go. Nothing is written to the buffer, so that it takes up addresses and no memory.
 */
function collectInSteps(): void {
  try {
    void new ArrayBuffer(ALARMING_BYTES)
  } catch (error) {
    // Where a system has no such addresses to give, the heap stays as large as it is.
    if (!(error instanceof RangeError)) throw error
  }
}
