import type { SqlType, TableName } from '../../pipelines/index.ts'
import type { CatalogueColumn, Dependents } from './table/catalogue.ts'
import type { Partition, RowRange } from './table/partitions.ts'
import type { TableColumn } from './table/stored-column.ts'

/** A table that is filled by loads: that of a source, or of one run of a workflow. */
export interface GeneratedTable {
  readonly id: number
  readonly enterpriseId: number
  readonly name: TableName
  readonly columns: readonly TableColumn[]
  readonly rowCount: number
  readonly rejectedCount: number
  /** The load whose state is shown; null before the first publication. */
  readonly currentLoadId: number | null
  /** Taking out a load counts as a publication, too. */
  readonly publicationCount: number
  /** How many rows were added or removed since the planner's statistics were last updated. */
  readonly changedRows: number
  readonly isPartitioned: boolean
  readonly isDropped: boolean
}

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

/** What has to be done to a table before it can show other rows, and what it looks like afterwards. */
export interface ShapeChange {
  readonly isThere: boolean
  readonly added: readonly TableColumn[]
  readonly retyped: readonly Widening[]
  readonly dropped: readonly string[]
  /** The columns that the table, and so each partition, keeps. */
  readonly staying: readonly CatalogueColumn[]
  /** As they are shown, with those that merely stay. */
  readonly columns: readonly TableColumn[]
  /** Columns that are no longer sent but stay, empty, since others use them. */
  readonly stayingUnsent: readonly { readonly name: string; readonly dependents: Dependents }[]
}

interface Widening {
  readonly column: string
  readonly to: SqlType
}

/** Which rows give way to those of a load: those with the same keys, or those that earlier loads brought. */
export type Replaced =
  | { readonly kind: 'keys'; readonly column: string; readonly header: string }
  | { readonly kind: 'rows'; readonly ranges: readonly RowRange[] }

/** The slots whose loads are shown from now on, or no longer. */
export type Slots = readonly string[] | 'all'

/** What becomes of loads, now that some states can no longer be shown. */
export interface Settling {
  /** Nothing of these roots can be shown any more. */
  readonly goneRoots: readonly number[]
  readonly gone: readonly number[]
  readonly roots: readonly SettledRoot[]
  /** Their states are no longer among those that ended and are kept. */
  readonly notKept: readonly number[]
}

interface SettledRoot {
  readonly rootId: number
  readonly isShown: boolean
  /** Null: as before. */
  readonly baseId: number | null
  /** Nodes that stay but are not part of the state that the root shows. */
  readonly aside: readonly number[]
  /** Nodes that will never be undone, so the rows that they replaced are no longer needed. */
  readonly neverUndone: readonly number[]
}

/**
 * One thing that is done to a table. Where a step makes a new partition of an old one, the steps
 * after it mean the new one.
 */
export type Step =
  /** The rows that a load took out come back to the partitions. */
  | { kind: 'put back'; taken: TableName; into: readonly Partition[] }
  | { kind: 'take out again'; taken: TableName; from: readonly Partition[] }
  /** The rows that give way to those of the load move into a table of their own. */
  | {
      kind: 'take out replaced'
      loadId: number
      partition: Partition
      replaced: Replaced
      from: readonly Partition[]
    }
  /** Runs the checks that others have deferred. */
  | { kind: 'check' }
  /** The partitions of the root are now in the state of the load. */
  | { kind: 'leave at'; rootId: number; loadId: number }
  | { kind: 'rewrite'; partition: Partition; widenings: readonly Widening[] }
  | { kind: 'widen taken'; tables: readonly TableName[]; widenings: readonly Widening[] }
  | { kind: 'align'; partitions: readonly Partition[]; shape: ShapeChange }
  /** Asks the rules over all rows of what is to be shown. */
  | {
      kind: 'judge'
      loadId: number
      partitions: readonly Partition[]
      columns: readonly TableColumn[]
      /** Rows only leave: what was unique still is. */
      onlyFewer?: boolean
    }
  | { kind: 'merge'; chosen: readonly Partition[]; shape: ShapeChange }
  | { kind: 'forget rows'; tables: readonly TableName[]; range: RowRange }
  | { kind: 'delete rows'; partition: Partition; range: RowRange }
  /** The state that was shown until now becomes the most recent of the earlier ones. */
  | { kind: 'end'; loadId: number; publication: number }
  | { kind: 'unlink'; node: Pick<Node, 'id' | 'rootId' | 'endedBy'>; parentId: number }
  | { kind: 'settle'; settling: Settling }
  | { kind: 'end rollbacks'; but: number }
  /** What slots hold follows what is shown; whose rows change, or all of the table. */
  | { kind: 'settle slots'; slots: Slots }
  /** The shape of the source learns from the load, and names the columns. */
  | { kind: 'settle shape'; loadId: number; columns: readonly TableColumn[] }
  | { kind: 'count rejects'; before: number | null; loadId: number }
  /** The only step that readers wait for. */
  | {
      kind: 'switch'
      shape: ShapeChange
      detach: readonly Partition[]
      attach: readonly Partition[]
      /** What the table then consists of. */
      partitions: readonly Partition[]
    }
  | {
      kind: 'show'
      shown: number
      publication: number
      columns: readonly TableColumn[]
      partitions: readonly Partition[]
      moved: readonly Partition[]
    }
