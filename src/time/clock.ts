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
