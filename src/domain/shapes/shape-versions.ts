import { isDeepStrictEqual } from 'node:util'

import type { Queries } from '../../db/in-turn.ts'
import { foldName, type Message, shownName } from '../../../pipelines/index.ts'
import {
  type FileShape,
  COMPARED_OF_COLUMN,
  COMPARED_OF_SHAPE,
  type ShapeColumn,
  type ShapeDifference,
} from '../../resources/shape.ts'
import { ShapeChangedException } from '../../errors/index.ts'
import { shapeMessages, shapePartMessages } from './shape-messages.ts'

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
  if (isDeepStrictEqual(aliasesOf(before), aliasesOf(now))) return
  await rememberAliases(client, before.id, now.columns)
}

/** What a shape remembers, to be found by other shapes of its enterprise. */
export async function rememberAliases(
  client: Queries,
  id: number,
  columns: FileShape['columns'],
): Promise<void> {
  await client.query(
    `with gone as (delete from shape_aliases where shape_id = $1)
     insert into shape_aliases (shape_id, enterprise_id, name, alias, folded)
     select sh.id, sh.enterprise_id, r.name, r.alias, r.folded
     from shapes sh
     cross join jsonb_to_recordset($2::jsonb) as r (name text, alias text, folded text)
     where sh.id = $1`,
    [id, JSON.stringify(aliasesOf({ columns }))],
  )
}

const aliasesOf = ({ columns }: Pick<FileShape, 'columns'>) =>
  columns.flatMap(({ name, aliases }) =>
    aliases.map((alias) => ({ name, alias, folded: foldName(alias) })),
  )

type Compared = Pick<FileShape, 'name' | 'columns' | 'left' | 'rules' | 'unknown' | 'missing'>

/** Of one version; more of them tell nobody more. */
const MOST_CHANGES = 100

/** What is another between two versions of a shape. A column is known by its name in SQL. */
function changesBetween(before: Compared, after: Compared): readonly ShapeDifference[] {
  const was = bySql(before)
  const is = bySql(after)
  const others = after.columns.filter(({ column }) => !was.has(column))
  return [
    ...differing(COMPARED_OF_SHAPE, before, after).map((what) => ({ column: null, what })),
    ...before.columns
      .filter(({ column }) => !is.has(column))
      .map(({ name }) => ({ column: name, what: 'removed' as const })),
    ...others.map(({ name }) => ({ column: name, what: 'added' as const })),
    ...after.columns.flatMap((column) => {
      const earlier = was.get(column.column)
      return earlier === undefined ? [] : changesOf(earlier, column)
    }),
  ].slice(0, MOST_CHANGES)
}

const bySql = ({ columns }: Compared): ReadonlyMap<string, ShapeColumn> =>
  new Map(columns.map((column) => [column.column, column]))

const changesOf = (before: ShapeColumn, after: ShapeColumn): readonly ShapeDifference[] =>
  differing(COMPARED_OF_COLUMN, before, after).map((what) => ({
    column: after.name,
    what,
    ...(what === 'name' && { before: before.name }),
  }))

const differing = <Of, Name extends keyof Of>(
  names: readonly Name[],
  before: Of,
  after: Of,
): readonly Name[] => names.filter((name) => !isDeepStrictEqual(before[name], after[name]))

/** The versions of shapes that a caller has seen; null: whatever it is by now. */
export type SeenTags = readonly string[] | null

type Versioned = Pick<FileShape, 'uuid' | 'version'>

/** Names this version of this shape. */
export const tagOf = ({ uuid, version }: Versioned): string => `${uuid}.${version}`

/** How many changes the sentence tells, and how many `changes` has. */
const TOLD = 5
const MOST_LISTED = 100

/** Refuses whoever has seen another version of the shape, and says what has changed since. */
export async function requireSeen(
  queries: Queries,
  found: Versioned & Pick<FileShape, 'id'>,
  tags: SeenTags,
): Promise<void> {
  if (tags === null || tags.includes(tagOf(found))) return
  const { version, uuid } = found
  const seen = tags
    .filter((tag) => tag.startsWith(`${uuid}.`))
    .map((tag) => Number(tag.slice(uuid.length + 1)))
    .filter((number) => number < version)
  const changes = seen.length === 0 ? [] : await changesSince(queries, found, Math.max(...seen))
  const members = { shapeVersion: version, changes: [...changes] }
  throw new ShapeChangedException(sentence(version, changes), { members })
}

async function changesSince(
  queries: Queries,
  { id }: Pick<FileShape, 'id'>,
  version: number,
): Promise<readonly ShapeDifference[]> {
  const { rows } = await queries.query<{ changes: readonly ShapeDifference[] }>(
    'select changes from shape_changes where shape_id = $1 and version > $2 order by version',
    [id, version],
  )
  return rows.flatMap(({ changes }) => changes).slice(0, MOST_LISTED)
}

function sentence(version: number, changes: readonly ShapeDifference[]): Message {
  if (changes.length === 0) return shapeMessages.movedOn({ version })
  const told = changes.slice(0, TOLD).map(({ column, what, before }) => {
    const part = shapePartMessages[what]()
    if (column === null) return part
    return before === undefined
      ? shapeMessages.changedColumn({ column: shownName(column), what: part })
      : shapeMessages.renamedColumn({ column: shownName(column), before: shownName(before) })
  })
  return shapeMessages.movedOnBy({ version, changes: told })
}
