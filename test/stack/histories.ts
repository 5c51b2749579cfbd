import { expect } from 'chai'

import type { SeededRandom } from '../support/seeded-random.ts'

/** What one load has brought: a key and a value a row. */
export interface GivenRow {
  readonly key: number
  readonly value: string
}

export type Mode = 'replace' | 'append' | 'upsert' | 'slot'

/** How a table is changed; all of it may be broken off before it is committed. */
export interface Table {
  /** Returns the number of the load, or null where it is refused. `slot` goes with the mode of that name. */
  load(
    mode: Mode,
    rows: readonly GivenRow[],
    isText: boolean,
    slot: number | null,
  ): Promise<number | null>
  /** Null: the state before the last publication. False where it is refused. */
  rollBack(to: number | null): Promise<boolean>
  takeOut(load: number): Promise<boolean>
  /** Merges the partitions whose rows every state has. */
  merge(): Promise<void>
  keep(states: number): Promise<void>
  /** The next change is broken off after so many steps, as if the process had died. */
  crashAfter(steps: number): void
  /** The rows that are shown, as `number key value`, in their order. */
  rows(): Promise<string[]>
  /** The loads whose states can be shown, most recently ended first. */
  kept(): Promise<number[]>
}

/** Thrown by a table that was broken off. */
export class Crash extends Error {
  override readonly name = 'Crash'
}

type State = ReadonlyMap<string, GivenRow>

interface Loaded {
  readonly mode: Mode
  readonly slot: number | null
  readonly own: State
  parent: number | null
  readonly root: number
}

/**
 * What a table has to show, told in another way: every state is the rows themselves, made anew from
 * its loads.
 */
class Expected {
  readonly loads = new Map<number, Loaded>()
  readonly #ended = new Map<number, number>()
  #publications = 0
  current: number | null = null
  keeps = 1

  publish(id: number, mode: Mode, rows: readonly GivenRow[], slot: number | null): void {
    const own = new Map(rows.map((row, at) => [`${id}.${at + 1}`, row]))
    const isRoot = mode === 'replace' || this.current === null
    const parent = isRoot ? null : this.current
    const root = parent === null ? id : this.loads.get(parent)!.root
    this.loads.set(id, { mode, slot, own, parent, root })
    this.#show(id)
  }

  #show(id: number): void {
    this.#publications++
    if (this.current !== null) this.#ended.set(this.current, this.#publications)
    this.current = id
    this.settle()
  }

  rollBack(to: number): void {
    this.#show(to)
  }

  /** With all that it replaced of its slot. */
  takeOut(id: number): void {
    const { slot } = this.loads.get(id)!
    const before = this.#lineage(id).slice(1)
    const replaced = before.filter((each) => slot !== null && this.loads.get(each)!.slot === slot)
    for (const each of [id, ...replaced]) this.#leave(each)
    this.#publications++
    this.settle()
  }

  #lineage(id: number): number[] {
    const { parent } = this.loads.get(id)!
    return parent === null ? [id] : [id, ...this.#lineage(parent)]
  }

  #leave(id: number): void {
    const { parent } = this.loads.get(id)!
    const ended = Math.max(this.#ended.get(id) ?? 0, this.#ended.get(parent!) ?? 0)
    if (ended > 0) this.#ended.set(parent!, ended)
    for (const load of this.loads.values()) if (load.parent === id) load.parent = parent
    this.loads.delete(id)
    this.#ended.delete(id)
    if (this.current === id) this.current = parent
  }

  kept(): number[] {
    return [...this.#ended]
      .filter(([id]) => id !== this.current)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, this.keeps)
      .map(([id]) => id)
  }

  settle(): void {
    const kept = new Set(this.kept())
    for (const id of this.#ended.keys()) if (!kept.has(id)) this.#ended.delete(id)
  }

  state(id: number): State {
    const { mode, slot, own, parent } = this.loads.get(id)!
    if (parent === null) return lastOf(mode, own)
    const before = this.state(parent)
    if (mode === 'append') return new Map([...before, ...own])
    if (mode === 'slot') {
      const slotOf = (number: string) => this.loads.get(Number(number.split('.')[0]))!.slot
      return new Map([...[...before].filter(([number]) => slotOf(number) !== slot), ...own])
    }
    const keys = new Set([...own.values()].map(({ key }) => key))
    return new Map([...[...before].filter(([, { key }]) => !keys.has(key)), ...lastOf(mode, own)])
  }

  rows(): string[] {
    if (this.current === null) return []
    return inOrder(
      [...this.state(this.current)].map(([number, { key, value }]) => `${number} ${key} ${value}`),
    )
  }
}

/** Of the rows of an upsert that share a key, only the last stays. */
function lastOf(mode: Mode, own: State): State {
  if (mode !== 'upsert') return own
  const last = new Map([...own].map(([number, { key }]) => [key, number]))
  return new Map([...own].filter(([number, { key }]) => last.get(key) === number))
}

/** Rows as they are told, by their numbers, which are read once each. */
export function inOrder(rows: readonly string[]): string[] {
  const numbered = rows.map((row) => {
    const [load, nth] = row.slice(0, row.indexOf(' ')).split('.').map(Number)
    return { row, load: load!, nth: nth! }
  })
  return numbered.toSorted((a, b) => a.load - b.load || a.nth - b.nth).map(({ row }) => row)
}

const MOST_KEYS = 6
const MOST_SLOTS = 3

const MODES = [
  [10, 'replace'],
  [22, 'append'],
  [38, 'slot'],
  [100, 'upsert'],
] as const

function someRows(random: SeededRandom, isUnique: boolean): GivenRow[] {
  const count = random.integer(1, 4)
  const rows = Array.from({ length: count }, () => ({
    key: random.integer(1, isUnique ? MOST_KEYS * 3 : MOST_KEYS),
    value: String(random.integer(0, 99)),
  }))
  if (!isUnique) return rows
  return rows.filter(({ key }, at) => rows.findIndex((row) => row.key === key) === at)
}

/**
 * A history of a table that nobody has thought of, and after each change of it: what is shown, and
 * what can be shown. The returned number is that of the changes that were made.
 */
export async function live(table: Table, random: SeededRandom, changes: number): Promise<number> {
  const expected = new Expected()
  // In half of the tables keys repeat, so some upserts are refused.
  const isUnique = random.chance(0.5)
  let made = 0
  for (let change = 0; change < changes; change++) {
    const isBroken = random.chance(0.15)
    if (isBroken) table.crashAfter(random.integer(0, 9))
    try {
      if (await changeOne(table, expected, random, isUnique)) made++
    } catch (error) {
      if (!(error instanceof Crash)) throw error
    }
    table.crashAfter(Infinity)
    const shown = { rows: await table.rows(), kept: await table.kept() }
    expect(shown).to.deep.equal({ rows: expected.rows(), kept: expected.kept() })
  }
  return made
}

async function changeOne(
  table: Table,
  expected: Expected,
  random: SeededRandom,
  isUnique: boolean,
): Promise<boolean> {
  const loads = [...expected.loads.keys()]
  const chosen = random.integer(0, 99)
  if (expected.current === null || chosen < 55) {
    const isFirst = expected.current === null
    const mode = isFirst ? 'replace' : MODES.find(([below]) => chosen < below)![1]
    const slot = mode === 'slot' ? random.integer(1, MOST_SLOTS) : null
    const rows = someRows(random, isUnique)
    const id = await table.load(mode, rows, random.chance(0.2), slot)
    if (id === null) {
      expect(mode, 'what is refused').to.equal('upsert')
      return false
    }
    expected.publish(id, mode, rows, slot)
    return true
  }
  if (chosen < 75) {
    const kept = expected.kept()
    const to = random.chance(0.3) || kept.length === 0 ? null : random.pick(kept)
    const isDone = await table.rollBack(to)
    expect(isDone).to.equal(kept.length > 0)
    if (isDone) expected.rollBack(to ?? kept[0]!)
    return isDone
  }
  if (chosen < 87) {
    const id = random.pick(loads)
    const isDone = await table.takeOut(id)
    if (isDone) expected.takeOut(id)
    return isDone
  }
  if (chosen < 94) {
    await table.merge()
    return true
  }
  const keeps = random.integer(0, 4)
  await table.keep(keeps)
  expected.keeps = keeps
  expected.settle()
  return true
}
