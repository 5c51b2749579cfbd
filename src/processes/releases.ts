/**
 * What this process has to let go of: work that it gives up, or a mark that it may have set. That
 * fails while the database is away, and no other process would do it as long as this one lives, so
 * it is retried until it succeeds. If the process ends first, its death frees the same things.
 */
export class Releases {
  readonly #untilDone = new Set<() => Promise<unknown>>()

  /** Does it now, or later. Never rejects. */
  async release(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch {
      this.#untilDone.add(work)
    }
  }

  async retry(): Promise<void> {
    await eachAlone(this.#untilDone, async (work) => {
      await work()
      this.#untilDone.delete(work)
    })
  }
}

/** Runs the work for every item even if it fails for some, then throws the first failure. */
export async function eachAlone<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  for (const item of items) {
    try {
      await work(item)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
