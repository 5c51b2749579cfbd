import { EngineError } from '../../pipelines/index.ts'
import type { CatalogueColumn } from '../../src/stack/table/catalogue.ts'
import { loadMessages } from '../../src/stack/load-messages.ts'
import { type Partition, rangeOf } from '../../src/stack/table/partitions.ts'
import {
  type Leaving,
  planMerge,
  planTakingOut,
  planTransition,
  type Wanted,
} from '../../src/stack/plan.ts'
import type {
  GeneratedTable,
  Node,
  Settling,
  ShapeChange,
  Step,
  Tree,
} from '../../src/stack/stack.ts'
import type { TableColumn } from '../../src/stack/table/stored-column.ts'
import { takenName } from '../../src/stack/table/enterprise-schemas.ts'
import { keptStates, settle, withNode } from '../../src/stack/tree.ts'
import { Crash, type GivenRow, inOrder, type Mode, type Table } from './histories.ts'

interface Record extends Omit<Node, 'partitionId'> {
  partitionId: number | null
  mode: Mode
  slot: number | null
  state: 'current' | 'kept' | 'gone'
  baseId: number | null
  positionId: number | null
  columns: readonly TableColumn[]
}

/** Rows by their number, and the type of their values. */
interface Held {
  rows: Map<bigint, GivenRow>
  isText: boolean
}

interface World {
  table: GeneratedTable
  loads: Map<number, Record>
  partitions: Map<number, Partition & Held>
  attached: Set<number>
  taken: Map<string, Held>
  /** The type of the table's values; null: there is no table yet. */
  isText: boolean | null
  keeps: number
}

const columnsOf = (isText: boolean): TableColumn[] => [
  { name: 'key', column: 'key', type: 'number', sqlType: 'bigint' },
  isText
    ? { name: 'value', column: 'value', type: 'text', sqlType: 'text' }
    : { name: 'value', column: 'value', type: 'number', sqlType: 'bigint' },
]

const catalogueOf = (isText: boolean): CatalogueColumn[] =>
  columnsOf(isText).map(({ column, sqlType }, at) => ({
    column,
    position: at + 1,
    sqlType,
    type: sqlType,
    collation: null,
    definition: sqlType,
    isRequired: false,
    isGenerated: false,
  }))

const typeAfter = ({ columns }: Pick<ShapeChange, 'columns'>): boolean =>
  columns.find(({ column }) => column === 'value')!.sqlType === 'text'

const withRows = <Key, H extends Held>(held: ReadonlyMap<Key, H>): Map<Key, H> =>
  new Map([...held].map(([key, each]) => [key, { ...each, rows: new Map(each.rows) }]))

const copyOf = (world: World): World => ({
  ...world,
  loads: new Map(world.loads),
  partitions: withRows(world.partitions),
  attached: new Set(world.attached),
  taken: withRows(world.taken),
})

/** A table in memory, which takes the steps of plans as the database does, and refuses what it would. */
export class ModelTable implements Table {
  #world: World = {
    table: {
      id: 1,
      enterpriseId: 1,
      name: { schema: 'enterprise_1', table: 'people' },
      columns: [],
      rowCount: 0,
      rejectedCount: 0,
      currentLoadId: null,
      publicationCount: 0,
      changedRows: 0,
      isPartitioned: true,
      isDropped: false,
    },
    loads: new Map(),
    partitions: new Map(),
    attached: new Set(),
    taken: new Map(),
    isText: null,
    keeps: 1,
  }
  #numbers = 0
  #crashAfter = Infinity

  crashAfter(steps: number): void {
    this.#crashAfter = steps
  }

  async load(
    mode: Mode,
    given: readonly GivenRow[],
    isText: boolean,
    slot: number | null,
  ): Promise<number | null> {
    const { table, partitions } = this.#world
    const id = ++this.#numbers
    const range = rangeOf(id)
    const last = new Map(given.map(({ key }, at) => [key, at]))
    const rows = new Map(
      given.flatMap((row, at) =>
        mode === 'upsert' && last.get(row.key) !== at ? [] : [[range.from + BigInt(at + 1), row]],
      ),
    )
    const name = { schema: 'enterprise_1_loads', table: `rows_${id}` }
    const partition = {
      id,
      name,
      range,
      rowCount: rows.size,
      isAttached: false,
      needsCare: false,
      distinct: [],
    }
    partitions.set(id, { ...partition, rows, isText })
    const tree = this.#tree()
    const current = table.currentLoadId === null ? undefined : tree.nodes.get(table.currentLoadId)
    const isRoot = mode === 'replace' || current === undefined
    const node: Node = {
      id,
      publication: table.publicationCount + 1,
      rootId: isRoot ? id : current.rootId,
      parentId: isRoot ? null : current.id,
      partitionId: id,
      takenId: null,
      endedBy: null,
    }
    const wide = mode === 'replace' ? isText : isText || this.#world.isText === true
    const own = { mode, slot, state: 'current' as const, columns: columnsOf(wide) }
    const root = { baseId: isRoot ? id : null, positionId: isRoot ? id : null }
    return this.#change((world) => {
      const ranges = [...world.loads.values()]
        .filter((load) => load.slot === slot && load.state === 'current')
        .map((load) => rangeOf(load.id))
      world.loads.set(id, { ...node, ...own, ...root })
      const replaces: Wanted['replaces'] =
        mode === 'upsert'
          ? { kind: 'keys', column: 'key', header: 'key' }
          : mode === 'slot' && ranges.length > 0
            ? { kind: 'rows', ranges }
            : null
      return this.#transition(withNode(tree, node), id, own.columns, isRoot ? null : replaces)
    })
      ? id
      : null
  }

  async rollBack(to: number | null): Promise<boolean> {
    const tree = this.#tree()
    const kept = keptStates(tree, this.#world.table.currentLoadId)
    const shown = to ?? kept[0]?.id
    if (shown === undefined) return false
    return this.#change(() => this.#transition(tree, shown, this.#world.loads.get(shown)!.columns))
  }

  async takeOut(id: number): Promise<boolean> {
    const { table, loads, keeps } = this.#world
    const tree = this.#tree()
    const load = loads.get(id)
    if (load?.state !== 'current' || load.parentId === null) return false
    const base = tree.nodes.get(tree.roots.get(load.rootId)!.baseId)!
    const isSettled = load.publication <= base.publication
    if (load.mode === 'upsert' && (id !== table.currentLoadId || isSettled)) return false
    const all = [...loads.values()]
    const replaced = all.filter(
      ({ slot, state, publication }) =>
        slot !== null &&
        slot === load.slot &&
        state === 'current' &&
        publication < load.publication,
    )
    const last = [load, ...replaced.toSorted((a, b) => b.publication - a.publication)]
    if (last.some(({ parentId }) => parentId === null)) return false
    const [own, ...others] = last.map((each): Leaving => ({
      node: { ...(each as Node), parentId: each.parentId! },
      parent: loads.get(each.parentId!)! as Node,
      range: rangeOf(each.id),
      isMerged: all.some(
        (other) => other.partitionId === each.partitionId && !last.includes(other),
      ),
    }))
    const to = { ...this.#wanted(tree, load.parentId, table.columns), loadId: id, keep: keeps }
    const isUndone = id === table.currentLoadId && !isSettled && load.slot === null
    const taking = { leaving: [own!, ...others] as const, isUndone }
    return this.#change(() => planTakingOut(tree, this.#shown(), taking, to, this.#facts()).steps)
  }

  async merge(): Promise<void> {
    const { table } = this.#world
    const tree = this.#tree()
    const current = tree.nodes.get(table.currentLoadId!)!
    const base = tree.nodes.get(tree.roots.get(current.rootId)!.baseId)!
    const later = [...tree.nodes.values()].filter((node) => node.publication > base.publication)
    const { attached } = this.#shown()
    const chosen = attached.filter(({ id }) => !later.some((node) => node.partitionId === id))
    if (chosen.length > 1) this.#change(() => planMerge(table, attached, chosen, this.#facts()))
  }

  async keep(states: number): Promise<void> {
    const { currentLoadId } = this.#world.table
    const settling = settle(this.#tree(), currentLoadId!, states)
    this.#change((world) => {
      world.keeps = states
      return [{ kind: 'settle', settling }]
    })
  }

  async rows(): Promise<string[]> {
    const { attached, partitions } = this.#world
    return inOrder(
      [...attached]
        .flatMap((id) => [...partitions.get(id)!.rows])
        .map(([number, { key, value }]) => `${number >> 40n}.${number & 0xffn} ${key} ${value}`),
    )
  }

  async kept(): Promise<number[]> {
    return keptStates(this.#tree(), this.#world.table.currentLoadId).map(({ id }) => id)
  }

  /** As one transaction: all of it or nothing. False where the database would have refused. */
  #change(plan: (world: World) => readonly Step[]): boolean {
    const before = this.#world
    this.#world = copyOf(before)
    try {
      const taking = new Taking(this.#world, () => ++this.#numbers)
      for (const [at, step] of plan(this.#world).entries()) {
        if (at === this.#crashAfter) throw new Crash()
        taking.take(step)
      }
      return true
    } catch (error) {
      this.#world = before
      if (error instanceof EngineError) return false
      throw error
    }
  }

  #transition(
    tree: Tree,
    shown: number,
    columns: readonly TableColumn[],
    replaces: Wanted['replaces'] = null,
  ): readonly Step[] {
    const to = { ...this.#wanted(tree, shown, columns), replaces }
    return planTransition(tree, this.#shown(), to, this.#facts()).steps
  }

  #wanted(tree: Tree, shown: number, columns: readonly TableColumn[]): Wanted {
    const { table, loads, partitions, keeps } = this.#world
    const { rootId } = loads.get(shown)!
    const isShown = tree.nodes.get(table.currentLoadId ?? 0)?.rootId === rootId
    const base = loads.get(tree.roots.get(rootId)!.baseId)!
    const common = [...loads.values()].filter(
      (load) =>
        load.rootId === rootId && load.state !== 'gone' && load.publication <= base.publication,
    )
    return {
      shown,
      loadId: shown,
      columns,
      partitions: [...partitions.values()].toSorted((a, b) => Number(a.range.from - b.range.from)),
      common: isShown ? [] : common.map(({ partitionId }) => partitionId!),
      replaces: null,
      slots: [],
      keep: keeps,
      rejectsBefore: 0,
    }
  }

  #shown() {
    const { table, attached, partitions } = this.#world
    const list = [...attached].map((id) => partitions.get(id)!)
    return {
      table,
      attached: list.toSorted((a, b) => Number(a.range.from - b.range.from)),
      inPlace: attached,
    }
  }

  #facts() {
    const { isText, partitions } = this.#world
    return {
      isThere: isText !== null,
      ofTable: isText === null ? [] : catalogueOf(isText),
      dependentsOf: () => ({ count: 0, named: [] }),
      ofPartition: new Map([...partitions].map(([id, held]) => [id, catalogueOf(held.isText)])),
    }
  }

  #tree(): Tree {
    const there = [...this.#world.loads.values()].filter(({ state }) => state !== 'gone')
    const roots = there.filter(({ id, rootId }) => id === rootId)
    const baseOf = (rootId: number) =>
      this.#world.loads.get(roots.find(({ id }) => id === rootId)!.baseId!)!
    const nodes = there.filter(
      ({ id, rootId, publication }) => id === rootId || publication >= baseOf(rootId).publication,
    )
    return {
      nodes: new Map(nodes.map((node) => [node.id, node as Node])),
      roots: new Map(
        roots.map(({ id, baseId, positionId }) => [
          id,
          { id, baseId: baseId!, positionId: positionId! },
        ]),
      ),
    }
  }
}

/** Takes steps in a world, and refuses what PostgreSQL would. */
class Taking {
  readonly #world: World
  readonly #number: () => number
  readonly #made = new Map<number, number>()
  #taken: string | null = null

  constructor(world: World, number: () => number) {
    this.#world = world
    this.#number = number
  }

  take(step: Step): void {
    const { attached } = this.#world
    switch (step.kind) {
      case 'put back':
        for (const [number, row] of this.#world.taken.get(step.taken.table)!.rows) {
          const into = step.into.find(({ range }) => isIn(range, number))
          if (into !== undefined) this.#rowsOf(into).set(number, row)
        }
        return
      case 'take out again':
        for (const number of this.#world.taken.get(step.taken.table)!.rows.keys()) {
          for (const partition of step.from) this.#rowsOf(partition).delete(number)
        }
        return
      case 'take out replaced':
        return this.#takeOutReplaced(step)
      case 'leave at':
        return this.#mend(step.rootId, { positionId: step.loadId })
      case 'rewrite': {
        const old = this.#world.partitions.get(step.partition.id)!
        this.#make(step.partition, { ...old, isText: true }, [step.partition])
        return
      }
      case 'widen taken':
        for (const name of [...step.tables.map(({ table }) => table), this.#taken]) {
          if (name !== null) this.#world.taken.get(name)!.isText = true
        }
        return
      case 'align':
        for (const each of step.partitions) this.#now(each).isText = typeAfter(step.shape)
        return
      case 'merge': {
        const rows = new Map(step.chosen.flatMap((each) => [...this.#rowsOf(each)]))
        const range = { from: step.chosen[0]!.range.from, to: step.chosen.at(-1)!.range.to }
        const merged = { ...step.chosen[0]!, range, rows, isText: this.#world.isText! }
        return this.#make(step.chosen[0]!, merged, step.chosen)
      }
      case 'forget rows':
        for (const { table } of step.tables) {
          const { rows } = this.#world.taken.get(table)!
          for (const number of rows.keys()) if (isIn(step.range, number)) rows.delete(number)
        }
        return
      case 'delete rows':
        for (const number of this.#rowsOf(step.partition).keys()) {
          if (isIn(step.range, number)) this.#rowsOf(step.partition).delete(number)
        }
        return
      case 'end':
        return this.#mend(step.loadId, { endedBy: step.publication })
      case 'unlink':
        return this.#unlink(step)
      case 'settle':
        return this.#settle(step.settling)
      case 'switch':
        return this.#switch(step)
      case 'show':
        if (step.partitions.length !== attached.size) throw new Error('Not what is attached')
        this.#world.table = {
          ...this.#world.table,
          currentLoadId: step.shown,
          publicationCount: step.publication,
          columns: step.columns,
        }
        return
      case 'check':
      case 'judge':
      case 'end rollbacks':
      case 'count rejects':
      case 'settle shape':
      case 'settle slots':
    }
  }

  #now(partition: Partition): Partition & Held {
    return this.#world.partitions.get(this.#made.get(partition.id) ?? partition.id)!
  }

  #rowsOf(partition: Partition): Map<bigint, GivenRow> {
    return this.#world.partitions.get(partition.id)!.rows
  }

  #mend(id: number, change: Partial<Record>): void {
    this.#world.loads.set(id, { ...this.#world.loads.get(id)!, ...change })
  }

  #make(instead: Partition, made: Partition & Held, of: readonly Partition[]): void {
    const id = this.#number()
    this.#world.partitions.set(id, { ...made, id, rows: new Map(made.rows) })
    this.#made.set(instead.id, id)
    for (const load of this.#world.loads.values()) {
      if (of.some((each) => each.id === load.partitionId)) this.#mend(load.id, { partitionId: id })
    }
  }

  #takeOutReplaced(step: Step & { kind: 'take out replaced' }): void {
    const { loadId, partition, replaced, from } = step
    const keys = new Set([...this.#rowsOf(partition).values()].map(({ key }) => key))
    const isReplaced = ([number, { key }]: [bigint, GivenRow]) =>
      replaced.kind === 'rows'
        ? replaced.ranges.some((range) => isIn(range, number))
        : keys.has(key)
    const found = from.flatMap((each) => [...this.#rowsOf(each)].filter(isReplaced))
    if (found.length === 0) return
    if (replaced.kind === 'keys' && new Set(found.map(([, { key }]) => key)).size < found.length) {
      throw new EngineError(loadMessages.mixed(), { kind: 'options', pointer: '/mode/key' })
    }
    const takenId = this.#number()
    this.#taken = takenName(takenId)
    this.#world.taken.set(this.#taken, { rows: new Map(found), isText: this.#world.isText! })
    for (const [number] of found) for (const each of from) this.#rowsOf(each).delete(number)
    this.#mend(loadId, { takenId })
  }

  #unlink({ node: { id, rootId, endedBy }, parentId }: Step & { kind: 'unlink' }): void {
    for (const load of this.#world.loads.values()) {
      if (load.parentId === id) this.#mend(load.id, { parentId })
    }
    const { baseId, positionId } = this.#world.loads.get(rootId)!
    if (baseId === id) this.#mend(rootId, { baseId: parentId })
    if (positionId === id) this.#mend(rootId, { positionId: parentId })
    const ended = Math.max(this.#world.loads.get(parentId)!.endedBy ?? 0, endedBy ?? 0)
    if (endedBy !== null) this.#mend(parentId, { endedBy: ended })
    this.#forget([id])
  }

  #forget(ids: readonly number[]): void {
    for (const id of ids) {
      this.#mend(id, { state: 'gone', partitionId: null, takenId: null, endedBy: null })
    }
  }

  #settle({ goneRoots, gone, roots, notKept }: Settling): void {
    const all = [...this.#world.loads.values()]
    const isThere = ({ state }: Record) => state !== 'gone'
    this.#forget(
      all.filter((load) => isThere(load) && goneRoots.includes(load.rootId)).map(({ id }) => id),
    )
    this.#forget(gone)
    for (const { rootId, isShown, baseId, aside, neverUndone } of roots) {
      for (const load of this.#world.loads.values()) {
        if (load.rootId !== rootId || !isThere(load)) continue
        const state = isShown && !aside.includes(load.id) ? 'current' : 'kept'
        this.#mend(load.id, { state })
      }
      for (const id of neverUndone) this.#mend(id, { takenId: null })
      if (baseId !== null) this.#mend(rootId, { baseId })
    }
    for (const id of notKept) this.#mend(id, { endedBy: null })
  }

  #switch({ shape, detach, attach, partitions }: Step & { kind: 'switch' }): void {
    const { attached } = this.#world
    for (const { id } of detach) {
      if (!attached.delete(id)) throw new Error('It was not attached')
    }
    if (shape.retyped.length > 0 && attached.size > 0) throw new Error('It would be read')
    this.#world.isText = typeAfter(shape)
    for (const each of attach.map((partition) => this.#now(partition))) {
      if (each.isText !== this.#world.isText) throw new Error('Its columns are other ones')
      for (const id of attached) {
        const { range } = this.#world.partitions.get(id)!
        if (range.from < each.range.to && each.range.from < range.to) throw new Error('It overlaps')
      }
      attached.add(each.id)
    }
    if (partitions.length !== attached.size) throw new Error('Not what was planned')
    if (!partitions.every((each) => attached.has(this.#now(each).id))) throw new Error('Others')
  }
}

const isIn = ({ from, to }: Partition['range'], number: bigint): boolean =>
  number >= from && number < to
