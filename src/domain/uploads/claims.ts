import type { ClientBase, Pool } from 'pg'

import type { ObjectName } from './uploads.ts'

const MISSED_HEARTBEATS = 3

export interface Claims extends Disposable {
  /** How long a claim outlives the last sign of life of its process. */
  readonly leaseMs: number
  take(object: ObjectName): Promise<void>
  /** Ends the claim; false when the sweep was first. */
  settle(client: Pick<ClientBase, 'query'>, object: ObjectName): Promise<boolean>
  /** No sign of life for it any more. */
  release(object: ObjectName): void
  /** From now on the object cannot be kept; false when it was. */
  condemn(object: ObjectName): Promise<boolean>
  drop(object: ObjectName): Promise<void>
  park(object: ObjectName, forMs: number): Promise<void>
}

/** The rows of `object_claims` that this process holds, kept alive by one timer. */
export function createClaims(pool: Pool, heartbeatMs: number): Claims {
  const leaseMs = heartbeatMs * MISSED_HEARTBEATS
  const held = new Map<string, ObjectName>()

  const beat = () => {
    if (held.size === 0) return
    const objects = [...held.values()]
    pool
      .query(
        `update object_claims set expires_at = greatest(expires_at, ${IN_MS('$3')})
         where (bucket, path) in (select * from unnest($1::text[], $2::text[]))`,
        [objects.map(({ bucket }) => bucket), objects.map(({ path }) => path), leaseMs],
      )
      // The next beat tries again; `settle` says if it was too late.
      .catch(() => undefined)
  }
  const timer = setInterval(beat, heartbeatMs)
  timer.unref()

  return {
    leaseMs,
    async take(object) {
      held.set(nameOf(object), object)
      await pool.query(
        `insert into object_claims (bucket, path, expires_at) values ($1, $2, ${IN_MS('$3')})`,
        [object.bucket, object.path, leaseMs],
      )
    },
    async settle(client, { bucket, path }) {
      const { rowCount } = await client.query(
        'delete from object_claims where bucket = $1 and path = $2 and not sweeping',
        [bucket, path],
      )
      return rowCount === 1
    },
    release: (object) => void held.delete(nameOf(object)),
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
    async park(object, forMs) {
      await pool.query(
        `update object_claims set expires_at = ${IN_MS('$3')} where bucket = $1 and path = $2`,
        [object.bucket, object.path, forMs],
      )
      held.delete(nameOf(object))
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

const IN_MS = (parameter: string) => `now() + make_interval(secs => ${parameter}::float8 / 1000)`

const nameOf = ({ bucket, path }: ObjectName) => `${bucket}/${path}`
