import type { Pool } from 'pg'

import { withTransaction } from '../../db/transaction.ts'
import { LinkNotValidException, TooManyRequestsException } from '../../errors/index.ts'
import { collectionMessages } from './collection-messages.ts'

const MOST_TRIES = 30
const WINDOW_SECONDS = 3600

interface Try {
  /** No file was read, so it does not count. */
  giveBack(): Promise<void>
}

const MANY = { read: collectionMessages.manyTries, upload: collectionMessages.manyBegun }

/**
 * A file that is about to be read counts, and apart from them an upload that is begun; so many within
 * an hour, in all processes together.
 */
export async function takeTry(
  pool: Pool,
  senderId: number,
  what: 'read' | 'upload' = 'read',
): Promise<Try> {
  const isUpload = what === 'upload'
  const id = await withTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      'select from collection_senders where id = $1 for no key update',
      [senderId],
    )
    // Deleted since they were let in.
    if (rowCount === 0) throw new LinkNotValidException()
    await client.query(
      `delete from collection_tries
       where sender_id = $1 and tried_at <= now() - make_interval(secs => $2)`,
      [senderId, WINDOW_SECONDS],
    )
    const { rows } = await client.query<{ taken: number; seconds: number }>(
      `select count(*) as taken,
              ceil(extract(epoch from min(tried_at) + make_interval(secs => $2) - now()))::integer as seconds
       from collection_tries where sender_id = $1 and is_upload = $3`,
      [senderId, WINDOW_SECONDS, isUpload],
    )
    const { taken, seconds } = rows[0]!
    if (taken >= MOST_TRIES) {
      throw new TooManyRequestsException(
        MANY[what]({ most: MOST_TRIES, minutes: Math.ceil(seconds / 60) }),
        { headers: { 'retry-after': String(Math.max(1, seconds)) } },
      )
    }
    const made = await client.query<{ id: number }>(
      'insert into collection_tries (sender_id, is_upload) values ($1, $2) returning id',
      [senderId, isUpload],
    )
    return made.rows[0]!.id
  })
  return {
    async giveBack() {
      await pool.query('delete from collection_tries where id = $1', [id])
    },
  }
}
