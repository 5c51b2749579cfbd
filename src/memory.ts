import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

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
const WORTH_BYTES = 32 * 1024 * 1024

type Collect = (options: { type: 'major'; execution: 'async' }) => Promise<void>

/**
 * Gives back what the heap does not need any more when the work is over. V8 looks after that itself,
 * a few milliseconds at a time, but not in a process that idles: one that allocates nothing is never
 * measured again, and is taken for as busy as it was. It goes ahead once it is told to care for its
 * size, and was made to look by a collection.
 */
function shrinkWhileIdle(): Disposable {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  let before: EventLoopUtilization = performance.eventLoopUtilization()
  let idleLooks = 0
  let restingBytes = 0

  const timer = setInterval(() => {
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
    if (idleLooks > IDLE_LOOKS) restingBytes = bytes
    if (idleLooks !== IDLE_LOOKS) return
    setFlagsFromString('--optimize-for-size')
    if (bytes - restingBytes > WORTH_BYTES) void collectAside()
  }, LOOK_EVERY_MS)
  timer.unref()

  /** What the collection takes itself is no work that would end the idling. */
  async function collectAside(): Promise<void> {
    await collect({ type: 'major', execution: 'async' })
    before = performance.eventLoopUtilization()
  }

  return { [Symbol.dispose]: () => clearInterval(timer) }
}
