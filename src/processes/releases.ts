/**
 * What this process lets go of: work that it gives up, a mark that it may have set. With the database
 * away that cannot be said, and nobody else would say it while we live, so it is said again until it
 * is heard. Where this process ends before, its death frees the same things.
 */
export class Releases {
  readonly #unsaid = new Set<() => Promise<unknown>>()

  /** Does it now, or later. Never rejects. */
  async release(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch {
      this.#unsaid.add(work)
    }
  }

  /** One that fails again keeps none of the others. */
  async retry(): Promise<void> {
    const failures: unknown[] = []
    for (const work of this.#unsaid) {
      try {
        await work()
        this.#unsaid.delete(work)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
