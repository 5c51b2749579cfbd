import { SourceInUseException } from '../errors/index.ts'
import type { Partition, RowRange } from './table/partitions.ts'
import { asWideAs, type ColumnFacts, keepShape, planShape } from './columns.ts'
import type { TableColumn } from './table/stored-column.ts'
import { tableMessages } from './table/table-messages.ts'
import type { TableName } from '../../pipelines/index.ts'
import { loadsSchemaOf, takenName } from './table/enterprise-schemas.ts'
import type { GeneratedTable, Node, Replaced, ShapeChange, Slots, Step, Tree } from './stack.ts'
import { lineage, route, settle, withEnded, withoutNode } from './tree.ts'

/** What a table shows, before it shows something else. */
export interface Shown {
  readonly table: GeneratedTable
  /** The partitions that it is recorded to consist of. */
  readonly attached: readonly Partition[]
  /** Those that it still consists of: others may have detached or dropped some. */
  readonly inPlace: ReadonlySet<number>
}

/** What it is to show. */
export interface Wanted {
  /** The load whose state it is; a node of the tree. */
  readonly shown: number
  /** The load that is recorded as this publication: the one that is shown, or a rollback to it. */
  readonly loadId: number
  /** The columns of that state, with the types that its rows have. */
  readonly columns: readonly TableColumn[]
  /** All partitions that nodes on the way name, and those that its root has in every state. */
  readonly partitions: readonly Partition[]
  /** Of them: what its root has in every state, as far as no node names it. */
  readonly common: readonly number[]
  /** What gives way to the rows of a load that was never shown; null: nothing. */
  readonly replaces: Replaced | null
  readonly slots: Slots
  /** How many earlier states are kept. */
  readonly keep: number
  /** Rejects of the state that the load adds to, 0 if it replaces that; null: count them again. */
  readonly rejectsBefore: number | null
}

export interface Plan {
  readonly shape: ShapeChange
  readonly steps: readonly Step[]
}

/**
 * Everything that has to be done so that a table shows another of its states: first what takes
 * time and no lock that readers need, then the switch, then the records that others wait for.
 */
export function planTransition(tree: Tree, from: Shown, to: Wanted, columns: ColumnFacts): Plan {
  const { publicationCount, currentLoadId: current } = from.table
  const publication = publicationCount + 1
  const isEnding = current !== null && tree.nodes.has(current)
  const ended = isEnding ? withEnded(tree, current, publication) : tree
  return transition(tree, from, to, columns, [
    ...(isEnding ? [{ kind: 'end' as const, loadId: current, publication }] : []),
    { kind: 'settle', settling: settle(ended, to.shown, to.keep) },
    ...ofSlots(to),
    { kind: 'end rollbacks', but: to.loadId },
  ])
}

/** The way from one state to another, and what is recorded of it before readers are kept waiting. */
function transition(
  tree: Tree,
  from: Shown,
  to: Wanted,
  columns: ColumnFacts,
  records: readonly Step[],
): Plan {
  const { shown, loadId, rejectsBefore } = to
  const moved = moveRows(tree, from, to)
  const { shape, steps, change, counted } = arrange(tree, from, to, columns, moved.after)
  const publication = from.table.publicationCount + 1
  return {
    shape,
    steps: [
      ...moved.steps,
      ...steps,
      { kind: 'judge', loadId, columns: shape.columns, ...counted },
      ...records,
      { kind: 'count rejects', before: rejectsBefore, loadId },
      { kind: 'settle shape', loadId, columns: shape.columns },
      ...change,
      { kind: 'show', shown, publication, columns: shape.columns, ...counted },
    ],
  }
}

const ofSlots = ({ slots }: Wanted): readonly Step[] =>
  slots.length === 0 ? [] : [{ kind: 'settle slots', slots }]

/** An appended load that is to leave what is shown, and every state that is kept. */
export interface Leaving {
  readonly node: Omit<Node, 'parentId' | 'takenId'> & { readonly parentId: number }
  /** The load that it was published upon. */
  readonly parent: Node
  readonly range: RowRange
  /** Whether its partition holds rows of loads that stay, too. */
  readonly isMerged: boolean
}

/** Loads of one slot leave together, so that none of them comes back in the place of a later one. */
export interface TakingOut {
  /** The latest first. */
  readonly leaving: readonly [Leaving, ...Leaving[]]
  /** Whether what it replaced comes back: what is shown is then the state before it. */
  readonly isUndone: boolean
}

/**
 * What takes loads out, as if they had never been loaded. Where a later upsert replaced some of
 * their rows, the replacements stay.
 */
export function planTakingOut(
  tree: Tree,
  from: Shown,
  { leaving, isUndone }: TakingOut,
  to: Wanted,
  columns: ColumnFacts,
): Plan {
  const { table, attached } = from
  const { loadId } = to
  const forget = leaving.map(({ range }): Step => ({
    kind: 'forget rows',
    tables: takenTables(table, tree),
    range,
  }))
  const { shown, unlinked, left } = unlink(tree, table.currentLoadId!, leaving)
  const records: readonly Step[] = [
    ...unlinked,
    { kind: 'settle', settling: settle(left, shown, to.keep) },
    ...ofSlots(to),
  ]
  if (isUndone) {
    const plan = transition(tree, from, to, columns, records)
    return { ...plan, steps: [...forget, ...plan.steps] }
  }
  const shape = keepShape(table.columns, columns)
  const partitionOf = ({ node }: Leaving) => attached.find(({ id }) => id === node.partitionId)!
  const detach = [...new Set(leaving.filter(({ isMerged }) => !isMerged).map(partitionOf))]
  const partitions = attached.filter((each) => !detach.includes(each))
  const remove = leaving
    .filter(({ isMerged }) => isMerged)
    .map((each): Step => ({
      kind: 'delete rows',
      partition: partitionOf(each),
      range: each.range,
    }))
  const publication = table.publicationCount + 1
  const end = { kind: 'show' as const, shown, publication, columns: shape.columns, partitions }
  return {
    shape,
    steps: [
      ...forget,
      ...remove,
      { ...end, kind: 'judge', loadId, onlyFewer: true },
      ...records,
      { kind: 'count rejects', before: null, loadId },
      { kind: 'switch', shape, detach, attach: [], partitions },
      { ...end, moved: detach },
    ],
  }
}

/** The tree without them, and what is shown then: the latest state that stays. */
function unlink(tree: Tree, current: number, leaving: readonly Leaving[]) {
  let left = tree
  let shown = current
  const unlinked: Step[] = []
  for (const { node, parent } of leaving) {
    // What left before may have handed its end on to this one.
    const { endedBy } = left.nodes.get(node.id) ?? node
    const leavingNow = { id: node.id, rootId: node.rootId, endedBy }
    unlinked.push({ kind: 'unlink', node: leavingNow, parentId: node.parentId })
    left = withoutNode(left, leavingNow, left.nodes.get(parent.id) ?? parent)
    if (shown === node.id) shown = node.parentId
  }
  return { left, shown, unlinked }
}

/** Several partitions whose rows every state has become one. */
export function planMerge(
  { columns }: GeneratedTable,
  attached: readonly Partition[],
  chosen: readonly Partition[],
  catalogue: ColumnFacts,
): readonly Step[] {
  const shape = keepShape(columns, catalogue)
  const first = chosen[0]!
  const partitions = attached.filter((each) => each === first || !chosen.includes(each))
  return [
    { kind: 'merge', chosen, shape },
    { kind: 'switch', shape, detach: chosen, attach: [first], partitions },
  ]
}

/** Undoes and redoes what loads replaced on the way from one state to the other. */
function moveRows(
  tree: Tree,
  { table, attached }: Shown,
  { shown, partitions, common, replaces }: Wanted,
): { readonly after: readonly Partition[]; readonly steps: readonly Step[] } {
  const partitionOf = (id: number) => partitions.find((each) => each.id === id)!
  const { rootId } = tree.nodes.get(shown)!
  const position = positionOf(tree, { table, attached }, { partitions, common }, rootId)
  let list = position.partitions
  const steps: Step[] = []
  const { undo, redo } = route(tree, position.at, shown)
  for (const each of undo) {
    list = list.filter(({ id }) => id !== each.partitionId)
    const taken = takenBy(table, each)
    if (taken !== null) steps.push({ kind: 'put back', taken, into: list })
  }
  for (const each of redo) {
    const partition = partitionOf(each.partitionId)
    const taken = takenBy(table, each)
    if (each.id === shown && replaces !== null) {
      const from = list.filter((other) => mayHold(other, replaces))
      if (from.length > 0) {
        steps.push({
          kind: 'take out replaced',
          loadId: each.id,
          partition,
          replaced: replaces,
          from,
        })
      }
    } else if (taken !== null) steps.push({ kind: 'take out again', taken, from: list })
    list = [...list, partition]
  }
  if (steps.length > 0) steps.push({ kind: 'check' })
  if (tree.roots.get(rootId)!.positionId !== shown) {
    steps.push({ kind: 'leave at', rootId, loadId: shown })
  }
  return { after: list, steps }
}

const mayHold = ({ range }: Partition, replaced: Replaced): boolean =>
  replaced.kind === 'keys' ||
  replaced.ranges.some(({ from, to }) => from < range.to && range.from < to)

/** The state that the partitions of a root are in: that of its node `at`. */
export function positionOf(
  tree: Tree,
  { table, attached }: Pick<Shown, 'table' | 'attached'>,
  { partitions, common }: Pick<Wanted, 'partitions' | 'common'>,
  rootId: number,
): { readonly at: number; readonly partitions: readonly Partition[] } {
  const current = table.currentLoadId === null ? undefined : tree.nodes.get(table.currentLoadId)
  if (current?.rootId === rootId) return { at: current.id, partitions: attached }
  const at = tree.roots.get(rootId)!.positionId
  const path = lineage(tree, at).map((id) => tree.nodes.get(id)!.partitionId)
  return { at, partitions: partitions.filter(({ id }) => common.includes(id) || path.includes(id)) }
}

interface Arrangement {
  readonly shape: ShapeChange
  readonly steps: readonly Step[]
  readonly change: readonly Step[]
  readonly counted: {
    readonly partitions: readonly Partition[]
    readonly moved: readonly Partition[]
  }
}

/** Adapts columns, types and indexes of what joins the table, and of what stays. */
function arrange(
  tree: Tree,
  { table, attached, inPlace }: Shown,
  to: Wanted,
  columns: ColumnFacts,
  after: readonly Partition[],
): Arrangement {
  const isIn = (list: readonly Partition[]) => (partition: Partition) =>
    list.some(({ id }) => id === partition.id)
  const staying = after.filter(isIn(attached))
  if (staying.some(({ id }) => !inPlace.has(id))) throw droppedByHand(table)
  const joining = after.filter((partition) => !isIn(attached)(partition))
  const leaving = attached.filter((each) => inPlace.has(each.id) && !isIn(after)(each))
  const holders = [
    ...joining.map(({ id }) => columns.ofPartition.get(id) ?? []),
    ...(staying.length > 0 ? [columns.ofTable] : []),
  ]
  const shape = planShape(table.columns, asWideAs(to.columns, holders), columns)
  const rewritten = shape.retyped.length > 0 ? staying : []
  const attach = [...rewritten, ...joining]
  const detach = [...leaving, ...rewritten]
  const widened: Step[] =
    rewritten.length === 0
      ? []
      : [
          ...rewritten.map((partition) => ({
            kind: 'rewrite' as const,
            partition,
            widenings: shape.retyped,
          })),
          { kind: 'widen taken', tables: takenTables(table, tree), widenings: shape.retyped },
        ]
  const partitions = [...staying, ...joining]
  return {
    shape,
    steps: [...widened, { kind: 'align', partitions: attach, shape }],
    change: [{ kind: 'switch', shape, detach: shape.isThere ? detach : [], attach, partitions }],
    counted: { partitions, moved: [...(shape.isThere ? detach : []), ...attach] },
  }
}

function droppedByHand({ name }: GeneratedTable) {
  return new SourceInUseException(tableMessages.droppedByOthers({ table: name.table }))
}

/** The table with the rows that the node has replaced; null: it replaced none. */
export const takenBy = (
  { enterpriseId }: Pick<GeneratedTable, 'enterpriseId'>,
  { takenId }: Pick<Node, 'takenId'>,
): TableName | null =>
  takenId === null ? null : { schema: loadsSchemaOf(enterpriseId), table: takenName(takenId) }

/** The tables that hold replaced rows, for all loads that can still be undone or redone. */
function takenTables(table: GeneratedTable, { nodes }: Tree): TableName[] {
  const rootId = table.currentLoadId === null ? null : nodes.get(table.currentLoadId)?.rootId
  return [...nodes.values()].flatMap((node) =>
    node.rootId === rootId ? (takenBy(table, node) ?? []) : [],
  )
}
