/**
 * Alternatives under their names. A value: nothing registers itself, and adding one makes another
 * registry. The order is that in which they are asked.
 */
export class Registry<Entry extends { readonly name: string }> implements Iterable<Entry> {
  readonly #entries: ReadonlyMap<string, Entry>

  constructor(entries: Iterable<Entry>) {
    const byName = new Map<string, Entry>()
    for (const entry of entries) {
      if (byName.has(entry.name)) throw new Error(`“${entry.name}” is registered twice`)
      byName.set(entry.name, entry)
    }
    this.#entries = byName
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()]
  }

  get(name: string): Entry | undefined {
    return this.#entries.get(name)
  }

  /** What is added is asked first, and takes the place of an entry of the same name. */
  with(...added: readonly Entry[]): Registry<Entry> {
    const names = new Set(added.map(({ name }) => name))
    return new Registry([...added, ...[...this].filter(({ name }) => !names.has(name))])
  }

  [Symbol.iterator](): Iterator<Entry> {
    return this.#entries.values()
  }
}
