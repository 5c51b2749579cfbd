import type { Pool } from 'pg'

import { SourceInUseException } from '../../errors/index.ts'
import { collectionMessages } from './collection-messages.ts'

const MOST_NAMED = 5

/** What senders delivered lies in the table of the source: nobody replaces or deletes it as a whole. */
export async function refuseCollected(pool: Pool, sourceId: number): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    'select c.name from collections c where c.source_id = $1 order by c.id limit $2',
    [sourceId, MOST_NAMED],
  )
  if (rows.length === 0) return
  const names = rows.map(({ name }) => name)
  throw new SourceInUseException(collectionMessages.collected({ names }))
}
