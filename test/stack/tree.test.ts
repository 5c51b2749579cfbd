import { expect } from 'chai'

import { commonAncestor, keptStates, lineage, route, settle } from '../../src/stack/tree.ts'
import type { Node, Tree } from '../../src/stack/stack.ts'

/**
 * Two roots, 1 and 10:
 *   1 ─ 2 ─ 3 ─ 4
 *        └─ 5 ─ 6
 *   10 ─ 11
 */
function tree(ended: Readonly<Record<number, number>> = {}, baseId = 1): Tree {
  const parents = new Map<number, number | null>([
    [1, null],
    [2, 1],
    [3, 2],
    [4, 3],
    [5, 2],
    [6, 5],
    [10, null],
    [11, 10],
  ])
  const nodes = [...parents].map(([id, parentId]): Node => ({
    id,
    publication: id,
    rootId: id < 10 ? 1 : 10,
    parentId,
    partitionId: id,
    takenId: null,
    endedBy: ended[id] ?? null,
  }))
  return {
    nodes: new Map(nodes.map((node) => [node.id, node])),
    roots: new Map([
      [1, { id: 1, baseId, positionId: 4 }],
      [10, { id: 10, baseId: 10, positionId: 11 }],
    ]),
  }
}

const ids = (nodes: readonly Node[]) => nodes.map(({ id }) => id)

describe('the tree of states', () => {
  it('knows what a state is made of, from its last load to its root', () => {
    expect(lineage(tree(), 6)).to.deep.equal([6, 5, 2, 1])
    expect(lineage(tree(), 10)).to.deep.equal([10])
  })

  it('leaves out what all states of a root have in common', () => {
    expect(lineage(tree({}, 3), 4)).to.deep.equal([4, 3, 1])
    expect(lineage(tree({}, 3), 3)).to.deep.equal([3, 1])
  })

  it('goes from one state to another by their common ancestor', () => {
    const { undo, redo } = route(tree(), 4, 6)
    expect([ids(undo), ids(redo)]).to.deep.equal([
      [4, 3],
      [5, 6],
    ])
    expect(route(tree(), 4, 4)).to.deep.equal({ undo: [], redo: [] })
    expect(ids(route(tree(), 4, 1).undo)).to.deep.equal([4, 3, 2])
    expect(ids(route(tree(), 1, 5).redo)).to.deep.equal([2, 5])
  })

  it('finds the latest load that several states have in common', () => {
    expect(commonAncestor(tree(), [4, 6])).to.equal(2)
    expect(commonAncestor(tree(), [4, 3])).to.equal(3)
    expect(commonAncestor(tree(), [6])).to.equal(6)
  })

  it('keeps the states that ended last, and never the current one', () => {
    const ended = tree({ 1: 20, 3: 22, 4: 25, 10: 24, 11: 21 })
    expect(ids(keptStates(ended, 4, 3))).to.deep.equal([10, 3, 11])
    expect(keptStates(ended, 4, 0)).to.deep.equal([])
  })

  describe('when some states can be shown', () => {
    const ended = tree({ 3: 22, 6: 21, 11: 20 })

    it('forgets what none of them needs, and never undoes what all of them have', () => {
      const settling = settle(ended, 4, 1)
      expect(settling.goneRoots).to.deep.equal([10])
      expect(settling.gone).to.have.members([5, 6, 10, 11])
      expect(settling.roots).to.deep.equal([
        { rootId: 1, isShown: true, baseId: 3, aside: [], neverUndone: [] },
      ])
      expect(settling.notKept).to.deep.equal([])
    })

    it('puts aside what the current one does not have', () => {
      expect(settle(tree({ 4: 22 }), 6, 1).roots).to.deep.equal([
        { rootId: 1, isShown: true, baseId: 2, aside: [4, 3], neverUndone: [] },
      ])
    })

    it('no longer counts a state among those that ended once it is shown, or one too many', () => {
      expect(settle(ended, 3, 2).notKept).to.deep.equal([3])
      expect(settle(tree({ 3: 22, 2: 21 }), 4, 1).notKept).to.deep.equal([2])
    })
  })
})
