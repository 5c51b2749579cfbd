import { isDeepStrictEqual } from 'node:util'

import type { ClientBase } from 'pg'

import type { TableColumn } from '../../stack/table/stored-column.ts'
import { namedAs } from './bind-columns.ts'
import { shapeOfTable } from './expect.ts'
import { following } from './follow-table.ts'
import { type Answers, learned } from './learn.ts'
import { writeShape } from './write-shape.ts'

interface Shown {
  readonly tableId: number
  /** The load that is recorded as the publication. */
  readonly loadId: number
  readonly columns: readonly TableColumn[]
}

/**
 * Runs in the transaction of a publication: the shape of the source learns what people have said of
 * the headers of the load, and its own shape follows its table. Returns the columns under the names
 * that the shape has for them by now.
 */
export async function settleShape(
  client: ClientBase,
  { tableId, loadId, columns }: Shown,
): Promise<readonly TableColumn[]> {
  const found = await shapeOfTable(client, tableId, 'for update')
  // The table of a run of a workflow has none.
  if (found === null) return columns
  const memory = learned(found, await answersOf(client, loadId))
  const followed =
    found.sourceId === null
      ? memory.columns
      : following({ columns: memory.columns, heldColumns: found.heldColumns }, columns)
  const settled = { ...found, columns: followed, left: memory.left }
  if (!isDeepStrictEqual([settled.columns, settled.left], [found.columns, found.left])) {
    await writeShape(client, found, { columns: settled.columns, left: settled.left })
  }
  return namedAs(settled, columns)
}

async function answersOf(client: ClientBase, loadId: number): Promise<Answers> {
  const { rows } = await client.query<{ answers: { given: Answers; remember: boolean } | null }>(
    'select answers from loads where id = $1',
    [loadId],
  )
  const answers = rows[0]?.answers ?? null
  return answers?.remember === true ? answers.given : {}
}
