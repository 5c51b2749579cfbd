/**
 * Imports nothing: a process registers for signals before it loads the rest of the product. A
 * signal that arrives earlier would end it without a message or, if it is the first process of a
 * container, be lost.
 */
const SIGNAL_NUMBERS = { SIGINT: 2, SIGTERM: 15 } as const

/** npm passes on a Ctrl-C that the terminal has sent to every process: the same comes twice. */
const SAME_INTERRUPT_MS = 1000

interface StopRequestOptions {
  /** Being stopped is the normal end of such a command; others are interrupted by it. */
  readonly runsUntilStopped: boolean
}

interface StopInOrderOptions {
  /**
   * The process exits after this time even if something hangs, so that a supervisor need not kill
   * it.
   */
  readonly withinMs?: number
}

/** The first signal asks the process to stop, the second one ends it at once. */
export class StopRequest {
  readonly #runsUntilStopped: boolean
  readonly #leaving = new AbortController()
  readonly #stopping = new AbortController()
  /** As long as nothing has been opened, there is nothing to wait for. */
  #withinMs = 0
  #delayMs = 0
  #exitCode: number | null = null
  #interruptedAt = -Infinity

  constructor({ runsUntilStopped }: StopRequestOptions) {
    this.#runsUntilStopped = runsUntilStopped
    for (const [name, number] of Object.entries(SIGNAL_NUMBERS)) {
      process.on(name, () => this.#receive(name, number))
    }
  }

  /** The exit code if the process was told to stop; otherwise null. */
  get exitCode(): number | null {
    return this.#exitCode
  }

  /** Aborted by the first signal, before anything is stopped. */
  get leaving(): AbortSignal {
    return this.#leaving.signal
  }

  /** From now on the first signal is followed by this time, in which everything still works. */
  delayBy(delayMs: number): void {
    this.#delayMs = delayMs
  }

  /** From now on the first signal aborts what is running; before, it ends the process at once. */
  stopInOrder({ withinMs = Infinity }: StopInOrderOptions = {}): AbortSignal {
    this.#withinMs = withinMs
    return this.#stopping.signal
  }

  /** As the first signal does, for a process that must not go on. */
  ask(exitCode: number, reason: Error): void {
    if (this.#exitCode !== null) return
    this.#exitCode = exitCode
    this.#stop(reason)
  }

  #receive(name: string, number: number): void {
    if (number === SIGNAL_NUMBERS.SIGINT) {
      if (performance.now() - this.#interruptedAt < SAME_INTERRUPT_MS) return
      this.#interruptedAt = performance.now()
    }
    // A command that runs until it is stopped was not stopped in an orderly way.
    if (this.#exitCode !== null) process.exit(this.#exitCode === 0 ? 1 : this.#exitCode)
    this.#exitCode = this.#runsUntilStopped ? 0 : 128 + number
    const reason = new Error(`Stopped by ${name}`)
    this.#leaving.abort(reason)
    if (this.#delayMs === 0) this.#stop(reason)
    else setTimeout(() => this.#stop(reason), this.#delayMs)
  }

  #stop(reason: Error): void {
    const end = () => process.exit(this.#exitCode ?? 0)
    if (this.#withinMs === 0) end()
    // `setTimeout` treats an infinite time as none at all.
    if (this.#withinMs < Infinity) setTimeout(end, this.#withinMs).unref()
    this.#stopping.abort(reason)
  }
}
