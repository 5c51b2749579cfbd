/**
 * The passing of time for code that waits or gives up waiting. Tests can stop it and move it
 * forward.
 */
export interface Clock {
  /** Milliseconds since an arbitrary moment: for durations, not for dates. */
  now(): number
  /** Calls once after the delay. The returned function cancels that. */
  after(delayMs: number, call: () => void): () => void
  /** Calls repeatedly without keeping the process alive. The returned function ends that. */
  every(intervalMs: number, call: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(delayMs, call) {
    const timer = setTimeout(call, delayMs)
    return () => clearTimeout(timer)
  },
  // The only repeating timer of the service.
  every(intervalMs, call) {
    const timer = setInterval(call, intervalMs)
    timer.unref()
    return () => clearInterval(timer)
  },
}

/** Ends early with the reason of the signal. */
export function waitFor(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void) => {
      takeBack()
      signal.removeEventListener('abort', abort)
      outcome()
    }
    const abort = () => settle(() => reject(signal.reason as Error))
    const takeBack = clock.after(delayMs, () => settle(resolve))
    signal.addEventListener('abort', abort, { once: true })
  })
}

/**
 * Repeated work. Disposing of it stops the repetition; `await using` also waits for the work in
 * progress.
 */
export interface Repetition extends Disposable, AsyncDisposable {}

/**
 * Does the work at an interval, never twice at once: a turn is skipped while the previous one still
 * runs. It does not keep the process alive. The work has to handle its own failures.
 */
export function every(
  intervalMs: number,
  work: () => unknown,
  clock: Clock = systemClock,
): Repetition {
  let underWay: Promise<void> | null = null
  const stop = clock.every(intervalMs, () => {
    underWay ??= run(work).finally(() => {
      underWay = null
    })
  })
  return {
    [Symbol.dispose]: stop,
    async [Symbol.asyncDispose]() {
      stop()
      await underWay
    },
  }
}

async function run(work: () => unknown): Promise<void> {
  await work()
}

/** Goes round at an interval, for as long as anybody has joined. */
export class Rounds<T> {
  readonly #everyMs: number
  readonly #go: (joined: readonly T[]) => unknown
  readonly #clock: Clock
  readonly #joined = new Set<T>()
  #going: Repetition | null = null

  constructor(everyMs: number, go: (joined: readonly T[]) => unknown, clock = systemClock) {
    this.#everyMs = everyMs
    this.#go = go
    this.#clock = clock
  }

  has(one: T): boolean {
    return this.#joined.has(one)
  }

  join(one: T): Disposable {
    this.#joined.add(one)
    this.#going ??= every(this.#everyMs, () => this.#go([...this.#joined]), this.#clock)
    return {
      [Symbol.dispose]: () => {
        this.#joined.delete(one)
        if (this.#joined.size > 0) return
        this.#going?.[Symbol.dispose]()
        this.#going = null
      },
    }
  }
}

/** A client that is slower than this over a minute holds what others need, and is disconnected. */
export const SLOWEST = { bytesPerSecond: 4 * 1024, overMs: 60_000 }

const LOOK_EVERY_MS = 1_000

interface Watched {
  /** The number of bytes transferred so far. */
  moved(): number
  /** Whether the other side is what we wait for; our own delays do not count. */
  isTheirTurn(): boolean
  tooSlow(): void
}

/** Watches the pace of a client until it is disposed of. */
export function watchPace(
  { moved, isTheirTurn, tooSlow }: Watched,
  clock: Clock = systemClock,
): Disposable {
  let waitedMs = 0
  let before = moved()
  return every(
    LOOK_EVERY_MS,
    () => {
      if (isTheirTurn()) waitedMs += LOOK_EVERY_MS
      if (waitedMs < SLOWEST.overMs) return
      const bytes = moved() - before
      before += bytes
      waitedMs = 0
      if (bytes < (SLOWEST.bytesPerSecond * SLOWEST.overMs) / 1000) tooSlow()
    },
    clock,
  )
}
