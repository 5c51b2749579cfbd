import type { ClientBase, Pool } from 'pg'

import type { Presence } from '../../processes/presence.ts'
import type { ObjectName } from './uploads.ts'

/** The rows of `object_claims`, which say to whom an object belongs that no row owns yet. */
interface Claims {
  /** Claims it for this process, until the claim is settled or the process dies. */
  take(object: ObjectName): Promise<void>
  /** Ends the claim; false if the sweep got there first. */
  settle(client: Pick<ClientBase, 'query'>, object: ObjectName): Promise<boolean>
  /** From now on the object cannot be kept; false if it already was. */
  condemn(object: ObjectName): Promise<boolean>
  drop(object: ObjectName): Promise<void>
  /** Gives up ownership; the sweep may remove the object after this time. */
  leave(object: ObjectName, forMs: number): Promise<void>
  /**
   * Gives up ownership; the sweep may remove the object at once. This does not depend on a clock,
   * which may be set back.
   */
  abandon(object: ObjectName): Promise<void>
}

export function createClaims(pool: Pool, presence: Presence): Claims {
  return {
    async take({ bucket, path }) {
      await pool.query('insert into object_claims (bucket, path, process_id) values ($1, $2, $3)', [
        bucket,
        path,
        presence.processId,
      ])
    },
    async settle(client, { bucket, path }) {
      const { rowCount } = await client.query(
        'delete from object_claims where bucket = $1 and path = $2 and not sweeping',
        [bucket, path],
      )
      return rowCount === 1
    },
    async condemn({ bucket, path }) {
      const { rowCount } = await pool.query(
        'update object_claims set sweeping = true where bucket = $1 and path = $2',
        [bucket, path],
      )
      return rowCount === 1
    },
    async drop({ bucket, path }) {
      await pool.query('delete from object_claims where bucket = $1 and path = $2', [bucket, path])
    },
    async leave({ bucket, path }, forMs) {
      await pool.query(
        `update object_claims set process_id = null,
                expires_at = now() + make_interval(secs => $3::float8 / 1000)
         where bucket = $1 and path = $2`,
        [bucket, path, forMs],
      )
    },
    async abandon({ bucket, path }) {
      await pool.query(
        `update object_claims set process_id = null, expires_at = '-infinity'
         where bucket = $1 and path = $2`,
        [bucket, path],
      )
    },
  }
}
