import { isDeepStrictEqual } from 'node:util'

import type { Pool } from 'pg'

import { shownName } from '../../../pipelines/index.ts'
import { AskedChangedException } from '../../errors/index.ts'
import type { FileShape, ShapeColumn } from '../../resources/shape.ts'
import { collectionMessages } from './collection-messages.ts'
import type { Holder } from './holder.ts'

type SeenColumn = Pick<ShapeColumn, 'name' | 'type' | 'rules'>

/** Remembers what is asked of a sender; returns what they saw before, if that was something else. */
export async function seeColumns(
  pool: Pool,
  { senderId }: Pick<Holder, 'senderId'>,
  { columns }: Pick<FileShape, 'columns'>,
): Promise<readonly SeenColumn[] | null> {
  const now = columns.map(({ name, type, rules }): SeenColumn => ({ name, type, rules }))
  const { rows } = await pool.query<{ seen: readonly SeenColumn[] | null }>(
    `update collection_senders se set seen_columns = $2
     from (select seen_columns as seen from collection_senders where id = $1) before
     where se.id = $1 and se.seen_columns is distinct from $2::jsonb
     returning before.seen`,
    [senderId, JSON.stringify(now)],
  )
  return rows[0]?.seen ?? null
}

/** Whoever has prepared a file for what was asked before is told once what has changed since. */
export async function tellOfChanges(
  pool: Pool,
  holder: Pick<Holder, 'senderId'>,
  shape: Pick<FileShape, 'columns'>,
): Promise<void> {
  const seen = await seeColumns(pool, holder, shape)
  if (seen === null) return
  const before = new Map(seen.map((column) => [column.name, column]))
  const now = new Set(shape.columns.map(({ name }) => name))
  const { columnAdded, columnGone, columnChanged } = collectionMessages
  const changes = [
    ...shape.columns.flatMap(({ name, type, rules }) => {
      const was = before.get(name)
      if (was === undefined) return [{ name, message: columnAdded() }]
      const isSame = isDeepStrictEqual([was.type, was.rules], [type, rules])
      return isSame ? [] : [{ name, message: columnChanged() }]
    }),
    ...seen
      .filter(({ name }) => !now.has(name))
      .map(({ name }) => ({ name, message: columnGone() })),
  ]
  // Nothing but their order.
  if (changes.length === 0) return
  const columns = changes.map(({ name }) => shownName(name))
  throw new AskedChangedException(collectionMessages.askedChanged({ columns }), {
    errors: changes.map(({ name, message }) => ({ pointer: pointerTo(name), message })),
  })
}

const pointerTo = (name: string) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
