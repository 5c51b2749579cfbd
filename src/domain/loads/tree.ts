/**
 * A published load in the tree of states. A root replaced all rows; any other load was published
 * on top of its parent. The state of a node is the path from its root to the node.
 */
export interface Node {
  readonly id: number
  /** The number of the publication that first showed it; higher than its parent's. */
  readonly publication: number
  readonly rootId: number
  /** Null for a root. */
  readonly parentId: number | null
  readonly partitionId: number
  /** The table with the rows that it replaced; null: it replaced none. */
  readonly takenId: number | null
  /**
   * The number of the publication that ended its state, if that state is kept; null: it is
   * current, or not kept.
   */
  readonly endedBy: number | null
}

interface Root {
  readonly id: number
  /** All states of the root that still matter include this node and those before it. */
  readonly baseId: number
  /** The node whose state the root's partitions are in. */
  readonly positionId: number
}

/**
 * The states that can be shown. Nodes between root and base are left out, as all of the root's
 * states share them.
 */
export interface Tree {
  readonly nodes: ReadonlyMap<number, Node>
  readonly roots: ReadonlyMap<number, Root>
}

/** The node and those that it was published on, up to its root. */
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

/** The way from one state to another of the same root: what to undo, and then what to redo, in this order. */
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

/** The latest node that all of the given ones, which have one root, were published on. */
export function commonAncestor(tree: Tree, ids: readonly number[]): number {
  const [first, ...others] = ids.map((id) => lineage(tree, id))
  return first!.find((id) => others.every((other) => other.includes(id)))!
}

/**
 * The states that can be shown besides the current one, most recently ended first; `current` is
 * null before the first publication.
 */
export function keptStates({ nodes }: Tree, current: number | null, keep = Infinity): Node[] {
  return [...nodes.values()]
    .filter(({ id, endedBy }) => id !== current && endedBy !== null)
    .toSorted((a, b) => b.endedBy! - a.endedBy!)
    .slice(0, keep)
}

/** What becomes of one root when only some of its states remain available. */
export interface SettledRoot {
  readonly rootId: number
  /** Null: the root is gone, and everything that was published on it. */
  readonly baseId: number | null
  readonly gone: readonly number[]
  /** Nodes that stay but are not part of the state that the root shows. */
  readonly aside: readonly number[]
  /** Nodes that will never be undone, so the rows that they replaced are no longer needed. */
  readonly settled: readonly number[]
}

/** `shown` has the current state and those that are kept. */
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
