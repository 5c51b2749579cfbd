import type { Queries } from '../../db/in-turn.ts'
import { foldName } from '../../../pipelines/index.ts'
import type { FileShape } from '../../resources/shape.ts'
import { changesBetween } from './shape-changes.ts'

/** What there is of a shape to write. */
type WrittenShape = Pick<
  FileShape,
  'name' | 'columns' | 'heldColumns' | 'left' | 'rules' | 'unknown' | 'missing'
>

/** Of so many versions it is known what they changed. */
const VERSIONS_KEPT = 50

/**
 * Each change is a new version; what it changed is kept for whoever saw an earlier one. The shape
 * was locked when `before` was read.
 */
export async function writeShape(
  client: Queries,
  before: FileShape,
  change: Partial<WrittenShape>,
): Promise<void> {
  const now = { ...before, ...change }
  await client.query(
    `with written as (
       update shapes
       set name = $2, columns = $3, held_columns = $4, left_out = $5, rules = $6, unknown = $7,
           missing = $8, version = version + 1,
           updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond')
       where id = $1 returning id, version),
     forgotten as (
       delete from shape_changes c using written
       where c.shape_id = written.id and c.version <= written.version - $10)
     insert into shape_changes (shape_id, version, changes) select id, version, $9 from written`,
    [
      before.id,
      now.name,
      ...[now.columns, now.heldColumns, now.left, now.rules].map((list) => JSON.stringify(list)),
      now.unknown,
      now.missing,
      JSON.stringify(changesBetween(before, now)),
      VERSIONS_KEPT,
    ],
  )
  if (change.columns !== undefined) await rememberAliases(client, before.id, change.columns)
}

/** What a shape remembers, to be found by other shapes of its enterprise. */
export async function rememberAliases(
  client: Queries,
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
