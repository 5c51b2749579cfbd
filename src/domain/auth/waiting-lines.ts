interface Line {
  /** Whoever is at work counts as well. */
  length: number
  last: Promise<unknown>
}

/** Does work with the same key one after the other; other keys do not wait for it. */
export class WaitingLines {
  readonly #lines = new Map<string, Line>()
  readonly #longest: number
  readonly #refuse: () => Error

  /** Whoever finds this many in a line is refused at once. */
  constructor(longest: number, refuse: () => Error) {
    this.#longest = longest
    this.#refuse = refuse
  }

  async take<R>(key: string, work: () => Promise<R>): Promise<R> {
    const line = this.#lines.get(key) ?? { length: 0, last: Promise.resolve() }
    if (line.length >= this.#longest) throw this.#refuse()
    this.#lines.set(key, line)
    line.length++
    const turn = line.last.then(work)
    // The next one waits for the end of this turn, whether it succeeds or fails.
    line.last = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      line.length--
      if (line.length === 0) this.#lines.delete(key)
    }
  }
}
