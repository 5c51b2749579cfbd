/** How time passes for what waits, or gives up waiting. Tests hold it still and move it on. */
export interface Clock {
  /** Milliseconds since a moment of its own: for spans, not for dates. */
  now(): number
  /** Calls once, after so long. What it returns takes that back. */
  after(delayMs: number, call: () => void): () => void
  /** Calls again and again, and keeps no process alive for it. What it returns ends that. */
  every(intervalMs: number, call: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(delayMs, call) {
    const timer = setTimeout(call, delayMs)
    return () => clearTimeout(timer)
  },
  // The only timer of the service that repeats.
  every(intervalMs, call) {
    const timer = setInterval(call, intervalMs)
    timer.unref()
    return () => clearInterval(timer)
  },
}

/** Ends early, with the reason of the signal. */
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
