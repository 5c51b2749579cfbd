import { EngineError } from '../core/errors.ts'
import { knownNames } from '../core/known-names.ts'
import type { Expectation, Remembered, TargetColumn } from '../core/mapping.ts'
import { shownName } from '../core/cut-text.ts'
import { normaliseHeaders } from '../headers/sql-names.ts'
import { foldName } from './fold.ts'
import { mappingMessages } from './mapping-messages.ts'

/** How a header met its column, or why it has none. */
type Meeting =
  | 'given'
  | 'name'
  | 'folded'
  | 'alias'
  | 'others'
  | 'left by hand'
  | 'left before'
  | 'unknown'

export interface MetHeader {
  readonly header: string
  /** Null: it is left out, or nobody knows it. */
  readonly column: TargetColumn | null
  /** The name of its column, which may be a new one; null: it is left out. */
  readonly name: string | null
  readonly by: Meeting
  /** What others remember of it, who do not agree. */
  readonly remembered?: readonly Remembered[]
}

type Met = Omit<MetHeader, 'name'>

/** A header that is given as a column of its own. */
const isOwn = (header: string, given: string | null | undefined): boolean => given === header

/**
 * Decides how headers meet columns, the same for every way in which rows arrive. What people say
 * comes first, then names, then names folded, then what is remembered. A column is met once; if two
 * headers could claim it in the same way, neither does. Likeness decides nothing here.
 */
export class HeaderMeeting {
  readonly #expectation: Expectation
  readonly #met = new Map<string, Met>()
  readonly #taken = new Set<TargetColumn>()
  readonly #byName: ReadonlyMap<string, TargetColumn>
  readonly #byFold: ReadonlyMap<string, readonly TargetColumn[]>

  constructor(expectation: Expectation) {
    this.#expectation = expectation
    this.#byName = new Map(expectation.columns.map((column) => [column.name, column]))
    this.#byFold = groupBy(expectation.columns, ({ name }) => [foldName(name)])
    this.#refuseGiven()
  }

  /** In the order of the input. */
  get headers(): readonly MetHeader[] {
    const { columns, unknown } = this.#expectation
    const fresh = [...this.#met.values()].filter(
      ({ column, by }) =>
        column === null && (by === 'given' || (by === 'unknown' && unknown !== 'leave')),
    )
    const names = normaliseHeaders(
      fresh.map(({ header }) => header),
      columns.map(({ name }) => name),
    )
    const newName = new Map(fresh.map(({ header }, at) => [header, names[at]!]))
    return [...this.#met.values()].map((met) => ({
      ...met,
      name: met.column?.name ?? newName.get(met.header) ?? null,
    }))
  }

  /** The expected columns that no header has met. */
  get missing(): readonly TargetColumn[] {
    return this.#free.filter(({ isExpected }) => isExpected)
  }

  /** Normalised headers. */
  async meet(headers: readonly string[]): Promise<void> {
    this.meetLate(headers)
    const { recall } = this.#expectation
    const unknown = this.#unknownOf(headers)
    if (recall === undefined || unknown.length === 0 || this.#free.length === 0) return
    const recalled = await recall(unknown)
    this.#claim(unknown, 'others', (header) => this.#agreed(recalled.get(header) ?? []))
    for (const header of this.#unknownOf(headers)) {
      const remembered = recalled.get(header)
      if (remembered) this.#met.set(header, { ...this.#met.get(header)!, remembered })
    }
  }

  /** Headers that appear after the others; what others remember is not asked for them. */
  meetLate(headers: readonly string[]): void {
    const { given, left, columns } = this.#expectation
    const leftOut = new Set(left)
    for (const header of headers) {
      this.#met.set(header, { header, column: null, by: 'unknown' })
      if (!Object.hasOwn(given, header)) continue
      const column = this.#givenColumn(header)
      this.#met.set(header, {
        header,
        column,
        by: given[header] === null ? 'left by hand' : 'given',
      })
      if (column !== null) this.#taken.add(column)
    }
    this.#claim(headers, 'name', (header) => this.#byName.get(header) ?? null)
    for (const header of this.#unknownOf(headers)) {
      if (leftOut.has(header)) this.#met.set(header, { header, column: null, by: 'left before' })
    }
    if (this.#unknownOf(headers).length === 0) return
    const folds = groupBy(
      [...this.#met.keys()].filter((header) => !Object.hasOwn(given, header)),
      (header) => [foldName(header)],
    )
    const isAlone = (header: string) => folds.get(foldName(header))?.length === 1
    this.#claim(headers, 'folded', (header) =>
      isAlone(header) ? only(this.#byFold.get(foldName(header))) : null,
    )
    if (this.#unknownOf(headers).length === 0) return
    const byAlias = groupBy(columns, ({ aliases }) => aliases)
    this.#claim(headers, 'alias', (header) => only(byAlias.get(header)))
    const byFoldedAlias = groupBy(columns, ({ aliases }) => aliases.map(foldName))
    this.#claim(headers, 'alias', (header) =>
      isAlone(header) ? only(byFoldedAlias.get(foldName(header))) : null,
    )
  }

  /** To be called when all headers are known. */
  requireGiven(): void {
    const unused = Object.keys(this.#expectation.given).find((header) => !this.#met.has(header))
    if (unused === undefined) return
    const message = mappingMessages.noHeader({
      header: shownName(unused),
      ...knownNames([...this.#met.keys()]),
    })
    throw new EngineError(message, { kind: 'options', pointer: pointerTo(unused) })
  }

  get #free(): readonly TargetColumn[] {
    return this.#expectation.columns.filter((column) => !this.#taken.has(column))
  }

  #unknownOf(headers: readonly string[]): readonly string[] {
    return headers.filter((header) => this.#met.get(header)!.by === 'unknown')
  }

  #claim(
    headers: readonly string[],
    by: Meeting,
    find: (header: string) => TargetColumn | null,
  ): void {
    const claims = groupBy(this.#unknownOf(headers), (header) => {
      const column = find(header)
      return column === null || this.#taken.has(column) ? [] : [column]
    })
    for (const [column, claimants] of claims) {
      const header = only(claimants)
      if (header === null) continue
      this.#met.set(header, { header, column, by })
      this.#taken.add(column)
    }
  }

  /**
   * The column that all of them mean who mean one that is here; null if they do not agree, or there
   * is none. Where half of all or more mean one that is not here, so may the header.
   */
  #agreed(remembered: readonly Remembered[]): TargetColumn | null {
    const meant = remembered.filter(({ name }) => this.#meantBy(name).length > 0)
    if (2 * timesOf(meant) <= timesOf(remembered)) return null
    return only([...new Set(meant.flatMap(({ name }) => this.#meantBy(name)))])
  }

  /** Others write the names of their columns as they like. */
  #meantBy(name: string): readonly TargetColumn[] {
    const column = this.#byName.get(name)
    return column === undefined ? (this.#byFold.get(foldName(name)) ?? []) : [column]
  }

  /** The name decides, then the name in SQL. */
  #givenColumn(header: string): TargetColumn | null {
    const name = this.#expectation.given[header]
    if (name === null || name === undefined) return null
    const { columns } = this.#expectation
    return this.#byName.get(name) ?? columns.find(({ column }) => column === name) ?? null
  }

  #refuseGiven(): void {
    const { given, columns } = this.#expectation
    const takenBy = new Map<TargetColumn, string>()
    for (const [header, name] of Object.entries(given)) {
      if (name === null) continue
      const column = this.#givenColumn(header)
      if (column === null) {
        if (isOwn(header, name)) continue
        const known = knownNames(columns.map((other) => other.name))
        const message = mappingMessages.noColumn({ column: shownName(name), ...known })
        throw new EngineError(message, { kind: 'options', pointer: pointerTo(header) })
      }
      const other = takenBy.get(column)
      if (other !== undefined) {
        const message = mappingMessages.columnTwice({
          column: shownName(column.name),
          header: shownName(header),
          other: shownName(other),
        })
        throw new EngineError(message, { kind: 'options', pointer: pointerTo(header) })
      }
      takenBy.set(column, header)
    }
  }
}

/** Where a request says it. */
export const pointerTo = (header: string): string =>
  `/mapping/${header.replaceAll('~', '~0').replaceAll('/', '~1')}`

function groupBy<T, K>(
  items: readonly T[],
  keysOf: (item: T) => readonly K[],
): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    for (const key of new Set(keysOf(item))) {
      // Nothing is left of such a name that could be compared.
      if (key === '') continue
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [item])
      else group.push(item)
    }
  }
  return groups
}

/** How many say something. */
export const timesOf = (remembered: readonly Remembered[]): number =>
  remembered.reduce((sum, { times }) => sum + times, 0)

const only = <T>(items: readonly T[] | undefined): T | null =>
  items?.length === 1 ? items[0]! : null
