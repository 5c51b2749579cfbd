/**
 * A published load in the tree of states. A root replaced all rows; any other was published upon its
 * parent. The state of a node is the way to it from its root.
 */
export interface Node {
  readonly id: number
  /** The number of the publication that first showed it: higher than that of its parent. */
  readonly publication: number
  readonly rootId: number
  /** Null for a root. */
  readonly parentId: number | null
  readonly partitionId: number
  /** Where the rows lie that its own have replaced; null where there are none. */
  readonly takenId: number | null
  /** The number of the publication that ended its state, which is kept; null: it is current, or not kept. */
  readonly endedBy: number | null
}

export interface Root {
  readonly id: number
  /** All states of the root that matter have it and what is before it. */
  readonly baseId: number
  /** Whose state the partitions of the root are in. */
  readonly positionId: number
}

/** The states that can be shown. What all of a root's states have in common is left out between root and base. */
export interface Tree {
  readonly nodes: ReadonlyMap<number, Node>
  readonly roots: ReadonlyMap<number, Root>
}

/** The node and those it was published upon, up to its root. */
export function lineage({ nodes, roots }: Tree, id: number): number[] {
  const ids: number[] = []
  let at: number | null = id
  while (at !== null) {
    ids.push(at)
    const node: Node = nodes.get(at)!
    const isBase: boolean = roots.get(node.rootId)!.baseId === at
    at = isBase && at !== node.rootId ? node.rootId : node.parentId
  }
  return ids
}

/** From one state to another of the same root: what has to be undone, and then done, in this order. */
export function route(
  tree: Tree,
  from: number,
  to: number,
): { readonly undo: readonly Node[]; readonly redo: readonly Node[] } {
  const before = lineage(tree, from)
  const after = lineage(tree, to)
  const common = new Set(before.filter((id) => after.includes(id)))
  const nodesOf = (ids: readonly number[]) =>
    ids.filter((id) => !common.has(id)).map((id) => tree.nodes.get(id)!)
  return { undo: nodesOf(before), redo: nodesOf(after).toReversed() }
}

/** The latest node that all of the given ones, of one root, stand on. */
export function commonAncestor(tree: Tree, ids: readonly number[]): number {
  const [first, ...others] = ids.map((id) => lineage(tree, id))
  return first!.find((id) => others.every((other) => other.includes(id)))!
}

/** Besides the current state, those that ended last; null: nothing was published yet. */
export function keptStates({ nodes }: Tree, current: number | null, keep = Infinity): Node[] {
  return [...nodes.values()]
    .filter(({ id, endedBy }) => id !== current && endedBy !== null)
    .toSorted((a, b) => b.endedBy! - a.endedBy!)
    .slice(0, keep)
}

/** What becomes of one root when only some of its states can be shown any more. */
export interface SettledRoot {
  readonly rootId: number
  /** Null: the root is gone, and all that stands on it. */
  readonly baseId: number | null
  readonly gone: readonly number[]
  /** Of those that stay, what is not part of the state that the root shows. */
  readonly aside: readonly number[]
  /** They will never be undone: what they have replaced is not needed any more. */
  readonly settled: readonly number[]
}

/** `shown`: the current state and those that are kept. */
export function settleRoot(
  tree: Tree,
  root: Root,
  shown: ReadonlySet<number>,
  current: number,
): SettledRoot {
  const own = [...tree.nodes.values()].filter(({ rootId }) => rootId === root.id)
  const needed = own.filter(({ id }) => shown.has(id)).map(({ id }) => id)
  if (needed.length === 0) {
    const gone = own.map(({ id }) => id)
    return { rootId: root.id, baseId: null, gone, aside: [], settled: [] }
  }
  const staying = new Set(needed.flatMap((id) => lineage(tree, id)))
  const baseId = commonAncestor(tree, needed)
  const path = new Set(needed.includes(current) ? lineage(tree, current) : staying)
  return {
    rootId: root.id,
    baseId,
    gone: own.map(({ id }) => id).filter((id) => !staying.has(id)),
    aside: [...staying].filter((id) => !path.has(id)),
    settled: lineage(tree, baseId),
  }
}
