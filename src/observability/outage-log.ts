import { type Clock, systemClock, every, type Repetition } from '../time/clock.ts'
import type { Logger } from './logger.ts'

const CHECK_EVERY_MS = 1000
const REMIND_EVERY_MS = 60_000

interface OutageLogOptions {
  readonly logger: Logger
  /** The name of the failing part in log lines. */
  readonly what: string
  /** Resolves when the part works; absent if its user reports recovery with `worked`. */
  readonly works?: () => Promise<unknown>
  readonly checkEveryMs?: number
  readonly remindEveryMs?: number
  readonly clock?: Clock
}

/** Logs that something fails, occasionally that it still does, and that it works again. */
export class OutageLog implements Disposable {
  readonly #options: OutageLogOptions
  readonly #clock: Clock
  #checking: Repetition | null = null
  #failures = 0
  #failedAt = 0
  #toldAt = 0

  constructor(options: OutageLogOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
  }

  failed(error: unknown): void {
    const { logger, what, remindEveryMs = REMIND_EVERY_MS } = this.#options
    const now = this.#clock.now()
    this.#failedAt = now
    this.#failures++
    if (this.#failures === 1) {
      logger.warn({ err: error }, `${what} failed; it is tried again until it works`)
      this.#startChecking()
    } else if (now - this.#toldAt >= remindEveryMs) {
      logger.warn({ err: error, failures: this.#failures }, `${what} still fails`)
    } else return
    this.#toldAt = now
  }

  worked(): void {
    const { logger, what } = this.#options
    const failures = this.#failures
    if (failures === 0) return
    this[Symbol.dispose]()
    logger.info({ failures }, `${what} works again`)
  }

  [Symbol.dispose](): void {
    this.#checking?.[Symbol.dispose]()
    this.#checking = null
    this.#failures = 0
  }

  #startChecking(): void {
    const { works, checkEveryMs = CHECK_EVERY_MS } = this.#options
    if (!works) return
    const check = () => this.#check(works, checkEveryMs)
    this.#checking = every(checkEveryMs, check, this.#clock)
  }

  async #check(works: () => Promise<unknown>, quietMs: number): Promise<void> {
    if (this.#clock.now() - this.#failedAt < quietMs) return
    const failures = this.#failures
    try {
      await works()
      // Over, unless something failed in the meantime or the log was disposed of.
      if (failures === this.#failures) this.worked()
    } catch {
      // Still failing; the next check will tell.
    }
  }
}
