/** Does work with the same key one after the other; other keys do not wait for it. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  async take<R>(key: string, work: () => Promise<R>): Promise<R> {
    const before = this.#last.get(key) ?? Promise.resolve()
    const turn = before.then(work)
    // The next one waits for the end of this turn, whether it succeeds or fails.
    const over = turn.catch(() => undefined)
    this.#last.set(key, over)
    try {
      return await turn
    } finally {
      if (this.#last.get(key) === over) this.#last.delete(key)
    }
  }
}
