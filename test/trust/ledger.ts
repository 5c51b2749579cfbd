export interface Failure {
  /** From which the run that failed can be had again. */
  readonly seed: number
  readonly message: string
}

/** What became of one fault: how often it was tried, how often everything held. */
interface Entry {
  readonly section: string
  readonly fault: string
  tried: number
  held: number
  /** What was seen: a figure, a count. */
  note: string
  readonly failures: Failure[]
  /** Why this machine cannot try it. */
  skipped: string | null
}

/** The one table that a run ends with. */
export class Ledger {
  readonly #entries = new Map<string, Entry>()

  entry(section: string, fault: string): Entry {
    const key = `${section}\n${fault}`
    let entry = this.#entries.get(key)
    if (!entry) {
      entry = { section, fault, tried: 0, held: 0, note: '', failures: [], skipped: null }
      this.#entries.set(key, entry)
    }
    return entry
  }

  get entries(): readonly Entry[] {
    return [...this.#entries.values()]
  }

  get failures(): readonly Entry[] {
    return this.entries.filter(({ held, tried }) => held < tried)
  }
}

/** The first failures of an entry, each with how to repeat it. */
export function describeFailures({ section, fault, failures }: Entry, most: number): string {
  const told = failures
    .slice(0, most)
    .map(
      ({ seed, message }) =>
        `  ${message.replaceAll('\n', '\n  ')}\n  repeat: npm run trust -- ${section} --seed ${seed}`,
    )
  return [`${section}: ${fault}`, ...told].join('\n')
}

/** Columns as wide as what stands in them. */
export function renderTable(entries: readonly Entry[]): string {
  const rows = [
    ['section', 'fault', 'tried', 'held', 'seen'],
    ...entries.map(({ section, fault, tried, held, skipped, note }) => [
      section,
      fault,
      String(tried),
      String(held),
      skipped === null ? note : `not tried: ${skipped}`,
    ]),
  ]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()
  return [
    line(rows[0]!),
    widths.map((width) => '-'.repeat(width)).join('  '),
    ...rows.slice(1).map(line),
  ].join('\n')
}
