/**
 * How many loads write at once. The others wait with their uploads held by back-pressure, instead
 * of taking connections from each other half-way.
 */
export class LoadSlots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(slots: number) {
    this.#free = slots
  }

  async take(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted()
    if (this.#free > 0) this.#free--
    else await this.#wait(signal)
    let taken = true
    return {
      [Symbol.dispose]: () => {
        if (taken) this.#give()
        taken = false
      },
    }
  }

  /** A slot goes straight to who waits longest. */
  #give(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1)
        reject(signal.reason as Error)
      }
      this.#waiting.push(go)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
}
