import type { Queries } from '../../db/in-turn.ts'
import { type Message, shownName } from '../../../pipelines/index.ts'
import { ShapeChangedException } from '../../errors/index.ts'
import type { FileShape, ShapeDifference } from '../../resources/shape.ts'
import { shapeMessages, shapePartMessages } from './shape-messages.ts'

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
