/**
 * Imports nothing: a process asks to be told of signals first, and only then loads the rest of the
 * product. A signal that comes in between would end it without a word or, where it is the first
 * process of a container, be lost.
 */
const SIGNAL_NUMBERS = { SIGINT: 2, SIGTERM: 15 } as const

interface StopRequestOptions {
  /** Whoever runs until it is stopped has done its work then; others were interrupted at it. */
  readonly runsUntilStopped: boolean
}

interface StopInOrderOptions {
  /** Whatever hangs then, a supervisor that waits for this time sees the process gone. */
  readonly withinMs?: number
}

/** The first signal asks the process to stop, a second one ends it at once. */
export class StopRequest {
  readonly #runsUntilStopped: boolean
  readonly #stopping = new AbortController()
  /** As long as nothing has been opened, there is nothing to wait for. */
  #withinMs = 0
  #exitCode: number | null = null

  constructor({ runsUntilStopped }: StopRequestOptions) {
    this.#runsUntilStopped = runsUntilStopped
    for (const [name, number] of Object.entries(SIGNAL_NUMBERS)) {
      process.on(name, () => this.#receive(name, number))
    }
  }

  /** What the process ends with because it was told to stop; null while nobody did. */
  get exitCode(): number | null {
    return this.#exitCode
  }

  /** From now on the first signal aborts what runs; before, it ends the process at once. */
  stopInOrder({ withinMs = Infinity }: StopInOrderOptions = {}): AbortSignal {
    this.#withinMs = withinMs
    return this.#stopping.signal
  }

  #receive(name: string, number: number): void {
    // Whoever runs until it is stopped has not stopped in order then.
    if (this.#exitCode !== null) process.exit(this.#exitCode === 0 ? 1 : this.#exitCode)
    const code = this.#runsUntilStopped ? 0 : 128 + number
    this.#exitCode = code
    if (this.#withinMs === 0) process.exit(code)
    // `setTimeout` takes an infinite time for none at all.
    if (this.#withinMs < Infinity) setTimeout(() => process.exit(code), this.#withinMs).unref()
    this.#stopping.abort(new Error(`Stopped by ${name}`))
  }
}
