type Go = (value?: unknown) => void

/**
 * Does so many things at once; others wait, those that are preferred before all others. Whoever finds
 * too many waiting is refused, the preferred only where those are too many by themselves.
 */
export class Turns {
  readonly #atOnce: number
  readonly #longest: number
  readonly #refuse: () => Error
  readonly #preferred: Go[] = []
  readonly #others: Go[] = []
  #atWork = 0

  constructor(
    { atOnce, longest }: { readonly atOnce: number; readonly longest: number },
    refuse: () => Error,
  ) {
    this.#atOnce = atOnce
    this.#longest = longest
    this.#refuse = refuse
  }

  async take<R>(isPreferred: boolean, work: () => Promise<R>): Promise<R> {
    if (this.#atWork < this.#atOnce) this.#atWork++
    else await this.#turn(isPreferred ? this.#preferred : this.#others)
    try {
      return await work()
    } finally {
      const next = this.#preferred.shift() ?? this.#others.shift()
      // The next one takes the place over.
      if (next === undefined) this.#atWork--
      else next()
    }
  }

  async #turn(line: Go[]): Promise<void> {
    if (line.length >= this.#longest) throw this.#refuse()
    const { promise, resolve } = Promise.withResolvers()
    line.push(resolve)
    await promise
  }
}

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
