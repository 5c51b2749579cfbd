import type { Pool } from 'pg'

import type { Queries } from '../../db/in-turn.ts'
import type { Presence } from '../../processes/presence.ts'

/** The place of an object in the store. */
export interface ObjectName {
  readonly bucket: string
  readonly path: string
}

/** In SQL: the stored file that a queued job starts from, wherever its kind of work keeps that. */
export const FILE_OF_JOB = `coalesce(jobs.input -> 'origin', jobs.input #> '{reload,origin}',
  jobs.input #> '{mended,origin}') -> 'file'`

/** The rows of `object_claims`, which say to whom an object belongs that no row owns yet. */
export function createClaims(pool: Pool, presence: Presence) {
  return {
    /** Claims it for this process, until the claim is settled or the process dies. */
    async take({ bucket, path }: ObjectName): Promise<void> {
      await pool.query('insert into object_claims (bucket, path, process_id) values ($1, $2, $3)', [
        bucket,
        path,
        presence.processId,
      ])
    },
    /** Ends the claim; false if the sweep got there first. */
    async settle(client: Queries, { bucket, path }: ObjectName): Promise<boolean> {
      const { rowCount } = await client.query(
        'delete from object_claims where bucket = $1 and path = $2 and not sweeping',
        [bucket, path],
      )
      return rowCount === 1
    },
    /** From now on the object cannot be kept; false if it already was. */
    async condemn({ bucket, path }: ObjectName): Promise<boolean> {
      const { rowCount } = await pool.query(
        'update object_claims set sweeping = true where bucket = $1 and path = $2',
        [bucket, path],
      )
      return rowCount === 1
    },
    async drop({ bucket, path }: ObjectName): Promise<void> {
      await pool.query('delete from object_claims where bucket = $1 and path = $2', [bucket, path])
    },
    /** Gives up ownership; the sweep may remove the object after this time. */
    async leave({ bucket, path }: ObjectName, forMs: number): Promise<void> {
      await pool.query(
        `update object_claims set process_id = null,
                expires_at = now() + make_interval(secs => $3::float8 / 1000)
         where bucket = $1 and path = $2`,
        [bucket, path, forMs],
      )
    },
    /** Gives up ownership; the sweep may remove the object at once. No clock decides it, which may be set back. */
    async abandon({ bucket, path }: ObjectName, client: Queries = pool): Promise<void> {
      await client.query(
        `update object_claims set process_id = null, expires_at = '-infinity'
         where bucket = $1 and path = $2`,
        [bucket, path],
      )
    },
  }
}
