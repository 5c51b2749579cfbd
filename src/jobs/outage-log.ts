import type { Logger } from '../observability/logger.ts'

const CHECK_EVERY_MS = 1000
const REMIND_EVERY_MS = 60_000

export interface OutageLogOptions {
  readonly logger: Logger
  /** What fails, as the lines name it. */
  readonly what: string
  /** Settles when it works. */
  works(): Promise<unknown>
  readonly checkEveryMs?: number
  readonly remindEveryMs?: number
}

/** Tells that something fails, now and then that it still does, and that it works again. */
export class OutageLog implements Disposable {
  readonly #options: OutageLogOptions
  #timer: NodeJS.Timeout | null = null
  #failures = 0
  #failedAt = 0
  #toldAt = 0
  #isChecking = false

  constructor(options: OutageLogOptions) {
    this.#options = options
  }

  failed(error: unknown): void {
    const { logger, what, checkEveryMs = CHECK_EVERY_MS } = this.#options
    const { remindEveryMs = REMIND_EVERY_MS } = this.#options
    const now = performance.now()
    this.#failedAt = now
    this.#failures++
    if (this.#timer === null) {
      logger.warn({ err: error }, `${what} failed; it is tried again until it works`)
      this.#timer = setInterval(() => void this.#check(checkEveryMs), checkEveryMs)
      this.#timer.unref()
    } else if (now - this.#toldAt >= remindEveryMs) {
      logger.warn({ err: error, failures: this.#failures }, `${what} still fails`)
    } else return
    this.#toldAt = now
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    this.#failures = 0
  }

  async #check(quietMs: number): Promise<void> {
    if (this.#isChecking || performance.now() - this.#failedAt < quietMs) return
    this.#isChecking = true
    const { logger, what, works } = this.#options
    const failures = this.#failures
    try {
      await works()
      // Over, unless something failed meanwhile or nobody wants to know any more.
      if (this.#timer === null || failures !== this.#failures) return
      this[Symbol.dispose]()
      logger.info({ failures }, `${what} works again`)
    } catch {
      // Still away; the next check will tell.
    } finally {
      this.#isChecking = false
    }
  }
}
