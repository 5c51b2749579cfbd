import type { Node, Settling, Tree } from './stack.ts'

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

/** The tree with one more node, which is about to be published. */
export function withNode(tree: Tree, node: Node): Tree {
  const roots = new Map(tree.roots)
  if (node.rootId === node.id) {
    roots.set(node.id, { id: node.id, baseId: node.id, positionId: node.id })
  }
  return { nodes: new Map(tree.nodes).set(node.id, node), roots }
}

/** The tree after the publication of that number has ended the state of `id`. */
export function withEnded(tree: Tree, id: number, publication: number): Tree {
  const node = tree.nodes.get(id)!
  return { ...tree, nodes: new Map(tree.nodes).set(id, { ...node, endedBy: publication }) }
}

/** The tree without a node; everything that was published on top of it is on its parent now. */
export function withoutNode(
  tree: Tree,
  { id, rootId, endedBy }: Pick<Node, 'id' | 'rootId' | 'endedBy'>,
  parent: Node,
): Tree {
  const nodes = new Map(tree.nodes)
  nodes.delete(id)
  for (const node of tree.nodes.values()) {
    if (node.parentId === id) nodes.set(node.id, { ...node, parentId: parent.id })
  }
  const root = tree.roots.get(rootId)!
  const moved = (at: number) => (at === id ? parent.id : at)
  // Below the base, a parent is in every state and none of its own.
  if (nodes.has(parent.id) || root.baseId === id) {
    const latest = Math.max(parent.endedBy ?? 0, endedBy ?? 0)
    nodes.set(parent.id, { ...parent, endedBy: latest === 0 ? null : latest })
  }
  const roots = new Map(tree.roots).set(rootId, {
    id: rootId,
    baseId: moved(root.baseId),
    positionId: moved(root.positionId),
  })
  return { nodes, roots }
}

/** What becomes of all loads once the state of `current` is shown, and so many earlier ones are kept. */
export function settle(tree: Tree, current: number, keep: number): Settling {
  const shown = new Set([current, ...keptStates(tree, current, keep).map(({ id }) => id)])
  const goneRoots: number[] = []
  const gone: number[] = []
  const roots: Settling['roots'][number][] = []
  for (const root of tree.roots.values()) {
    const own = [...tree.nodes.values()].filter(({ rootId }) => rootId === root.id)
    const needed = own.filter(({ id }) => shown.has(id)).map(({ id }) => id)
    if (needed.length === 0) {
      goneRoots.push(root.id)
      gone.push(...own.map(({ id }) => id))
      continue
    }
    const staying = new Set(needed.flatMap((id) => lineage(tree, id)))
    const baseId = commonAncestor(tree, needed)
    const isShown = needed.includes(current)
    const path = new Set(isShown ? lineage(tree, current) : staying)
    gone.push(...own.map(({ id }) => id).filter((id) => !staying.has(id)))
    // What this publication itself takes out is not in the tree yet. A root takes nothing out.
    const mayHaveTaken = ({ id, takenId, parentId }: Node) =>
      takenId !== null || (id === current && parentId !== null)
    roots.push({
      rootId: root.id,
      isShown: isShown || tree.nodes.get(current)!.rootId === root.id,
      baseId: baseId === root.baseId ? null : baseId,
      aside: [...staying].filter((id) => !path.has(id)),
      neverUndone: lineage(tree, baseId).filter((id) => mayHaveTaken(tree.nodes.get(id)!)),
    })
  }
  const notKept = [...tree.nodes.values()].filter(
    ({ id, endedBy }) =>
      endedBy !== null && !gone.includes(id) && (id === current || !shown.has(id)),
  )
  return { goneRoots, gone, roots, notKept: notKept.map(({ id }) => id) }
}
