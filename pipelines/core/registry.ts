/**
 * Alternatives by name. It is a value: nothing registers itself, and adding an entry makes a new
 * registry. Entries are asked in order.
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

  /** Added entries are asked first, and replace an entry of the same name. */
  with(...added: readonly Entry[]): Registry<Entry> {
    const names = new Set(added.map(({ name }) => name))
    return new Registry([...added, ...[...this].filter(({ name }) => !names.has(name))])
  }

  [Symbol.iterator](): Iterator<Entry> {
    return this.#entries.values()
  }
}
