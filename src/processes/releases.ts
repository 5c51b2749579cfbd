/**
 * What this process lets go of: work that it gives up, a mark that it may have set. While the database
 * is away that fails, and no other process would do it as long as this one lives, so it is tried again
 * until it works. Where this process ends before, its death frees the same things.
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

  /** One that fails again keeps none of the others. */
  async retry(): Promise<void> {
    const failures: unknown[] = []
    for (const work of this.#untilDone) {
      try {
        await work()
        this.#untilDone.delete(work)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
