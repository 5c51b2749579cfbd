import { isDeepStrictEqual } from 'node:util'

import type { ClientBase } from 'pg'

import { foldName } from '../../../pipelines/index.ts'
import type { FileShape } from '../../resources/shape.ts'
import type { TableColumn } from '../../stack/table/stored-column.ts'
import { namedAs } from './bind-columns.ts'
import { shapeOfTable } from './expect.ts'
import { following } from './follow-table.ts'
import { type Answers, learned } from './learn.ts'

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
    await writeSettled(client, settled)
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

async function writeSettled(client: ClientBase, { id, columns, left }: FileShape): Promise<void> {
  await client.query(
    `update shapes
     set columns = $2, left_out = $3, version = version + 1,
         updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond')
     where id = $1`,
    [id, JSON.stringify(columns), JSON.stringify(left)],
  )
  await rememberAliases(client, id, columns)
}

/** What a shape remembers, to be found by other shapes of its enterprise. */
export async function rememberAliases(
  client: Pick<ClientBase, 'query'>,
  id: number,
  columns: FileShape['columns'],
): Promise<void> {
  const remembered = columns.flatMap(({ name, aliases }) =>
    aliases.map((alias) => ({ name, alias, folded: foldName(alias) })),
  )
  await client.query(
    `with gone as (delete from shape_aliases where shape_id = $1)
     insert into shape_aliases (shape_id, enterprise_id, name, alias, folded)
     select sh.id, sh.enterprise_id, r.name, r.alias, r.folded
     from shapes sh
     cross join jsonb_to_recordset($2::jsonb) as r (name text, alias text, folded text)
     where sh.id = $1`,
    [id, JSON.stringify(remembered)],
  )
}
