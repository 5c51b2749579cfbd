import type { ClientBase } from 'pg'

import { SourceLoadConflictException } from '../../errors/index.ts'
import { requireReadable } from '../table/made-by-others.ts'
import { columnsOf, sentOnly } from '../columns.ts'
import { loadMessages } from '../load-messages.ts'
import { type Load, modeOf } from '../load.ts'
import { partitionsOf } from '../look.ts'
import { type Partition, readAttached, readPartitions } from '../table/partitions.ts'
import { positionOf, takenBy } from '../plan.ts'
import { findReplaced } from '../publish.ts'
import type { GeneratedTable, Replaced, Tree } from '../stack.ts'
import type { TableColumn } from '../table/stored-column.ts'
import { type TableName } from '../../../pipelines/index.ts'
import { keptStates, route } from '../tree.ts'
import { type Piece, tablesOf } from './state-rows.ts'

/** A state of a table, and where its rows are now. */
export interface LocatedState {
  readonly columns: readonly TableColumn[]
  readonly pieces: readonly Piece[]
}

/**
 * Finds the state that is shown (null), the state after a load, or the state that a staged load
 * would lead to.
 */
export async function locateState(
  client: ClientBase,
  table: GeneratedTable,
  tree: Tree,
  load: Load | null,
): Promise<LocatedState> {
  const located = await findState(client, table, tree, load)
  // Others can put something else in the place of a part, which the lock of the table does not prevent.
  const [first, ...more] = tablesOf(located.pieces)
  if (first !== undefined) await requireReadable(client, [first, ...more])
  return located
}

async function findState(
  client: ClientBase,
  table: GeneratedTable,
  tree: Tree,
  load: Load | null,
): Promise<LocatedState> {
  if (load?.state === 'staged') return locateStaged(client, table, tree, load)
  const id = load === null ? table.currentLoadId! : (load.shownLoadId ?? load.id)
  if (id === table.currentLoadId) {
    return { columns: sentOnly(table.columns), pieces: await piecesOf(client, table, tree, id) }
  }
  requireKept(table, tree, id)
  return { columns: sentOnly(load!.columns), pieces: await piecesOf(client, table, tree, id) }
}

function requireKept({ currentLoadId }: GeneratedTable, tree: Tree, id: number): void {
  if (keptStates(tree, currentLoadId).some((node) => node.id === id)) return
  throw new SourceLoadConflictException(loadMessages.notKept())
}

/** Follows the way from where the root's partitions are now to the state, without moving any rows. */
async function piecesOf(
  client: ClientBase,
  table: GeneratedTable,
  tree: Tree,
  shown: number,
): Promise<Piece[]> {
  const found = await partitionsOf(client, table, tree, shown)
  const held = { table, attached: await readAttached(client, table) }
  const { at, partitions } = positionOf(tree, held, found, tree.nodes.get(shown)!.rootId)
  const { undo, redo } = route(tree, at, shown)
  const tablesTakenBy = (nodes: typeof undo) => nodes.flatMap((node) => takenBy(table, node) ?? [])
  const of = (nodes: typeof undo) =>
    found.partitions.filter(({ id }) => nodes.some(({ partitionId }) => partitionId === id))
  const undone = of(undo)
  const added = of(redo)
  const isUndone = ({ id }: Partition) => undone.some((other) => other.id === id)
  const piece = (name: TableName, except: Piece['except'] = []): Piece => ({
    name,
    except,
    without: tablesTakenBy(redo),
    replacedBy: null,
  })
  return [
    ...partitions.filter((partition) => !isUndone(partition)).map(({ name }) => piece(name)),
    // Rows that an upsert to be undone took out of these partitions; rows of partitions that are
    // undone as well do not count.
    ...tablesTakenBy(undo).map((name) =>
      piece(
        name,
        undone.map(({ range }) => range),
      ),
    ),
    ...added.map(({ name }) => piece(name)),
  ]
}

async function locateStaged(
  client: ClientBase,
  table: GeneratedTable,
  tree: Tree,
  load: Load,
): Promise<LocatedState> {
  const mode = modeOf(load)
  const [partition] = await readPartitions(client, table, [load.partitionId!])
  const { name } = partition!
  const own = { name, except: [], without: [], replacedBy: null }
  const columns = columnsOf(table, mode, load.columns)
  if (mode.kind === 'replace') return { columns, pieces: [own] }
  const present = await piecesOf(client, table, tree, table.currentLoadId!)
  const replaced = await findReplaced(client, table, {
    loadId: load.id,
    mode,
    columns: load.columns,
  })
  return {
    columns: sentOnly(columns),
    pieces: [...present.map((piece) => without(piece, replaced, load, name)), own],
  }
}

/** What stays of it once the rows of the load are shown. */
function without(
  piece: Piece,
  replaced: Replaced | null,
  { columns }: Load,
  loaded: TableName,
): Piece {
  switch (replaced?.kind) {
    case undefined:
      return piece
    case 'rows':
      return { ...piece, except: [...piece.except, ...replaced.ranges] }
    case 'keys': {
      const key = columns.find(({ column }) => column === replaced.column)!
      return { ...piece, replacedBy: { loaded, key } }
    }
  }
}
