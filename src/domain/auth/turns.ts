/** Work under the same key is done one after the other; other keys do not wait for it. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  async take<R>(key: string, work: () => Promise<R>): Promise<R> {
    const before = this.#last.get(key) ?? Promise.resolve()
    const turn = before.then(work)
    // Whoever comes next waits for the end of this turn, however it ends.
    const over = turn.catch(() => undefined)
    this.#last.set(key, over)
    try {
      return await turn
    } finally {
      if (this.#last.get(key) === over) this.#last.delete(key)
    }
  }
}
