import type { Pool } from 'pg'

import type {
  IdempotencyClaim,
  IdempotencyState,
  IdempotencyStore,
  StoredAnswer,
} from '../domain/idempotency.ts'

const KEPT_HOURS = 24
const BEAT_MS = 5000
/** Three beats missed: the process that took the key is gone. */
const DEAD_AFTER_SECONDS = 15

interface KeyRow {
  fingerprint: string | null
  status: number
  headers: Record<string, string>
  /** A JSON string whose text is JSON: `jsonb` itself would change the order of keys. */
  body: string | null
}

// Takes a key that is new, expired, or was left behind by a process that died.
const TAKE = `
  insert into idempotency_keys (actor_id, key) values ($1, $2)
  on conflict (actor_id, key) do update
    set fingerprint = null, status = null, headers = null, body = null,
        alive_at = now(), created_at = now()
    where idempotency_keys.created_at < now() - make_interval(hours => ${KEPT_HOURS})
       or (idempotency_keys.fingerprint is null
           and idempotency_keys.alive_at < now() - make_interval(secs => ${DEAD_AFTER_SECONDS}))
  returning key`

export function createIdempotencyStore(pool: Pool): IdempotencyStore {
  const beats = new Map<string, NodeJS.Timeout>()

  function startBeat({ actorId, key }: IdempotencyClaim) {
    const timer = setInterval(() => {
      pool
        .query('update idempotency_keys set alive_at = now() where actor_id = $1 and key = $2', [
          actorId,
          key,
        ])
        // The next beat tries again; three missed ones free the key, as they should.
        .catch(() => undefined)
    }, BEAT_MS)
    timer.unref()
    beats.set(`${actorId} ${key}`, timer)
  }

  function stopBeat({ actorId, key }: IdempotencyClaim) {
    clearInterval(beats.get(`${actorId} ${key}`))
    beats.delete(`${actorId} ${key}`)
  }

  return {
    async begin(claim): Promise<IdempotencyState> {
      const values = [claim.actorId, claim.key]
      const taken = await pool.query(TAKE, values)
      if (taken.rowCount === 1) {
        startBeat(claim)
        return { kind: 'begun' }
      }
      const { rows } = await pool.query<KeyRow>(
        'select fingerprint, status, headers, body from idempotency_keys where actor_id = $1 and key = $2',
        values,
      )
      const [row] = rows
      if (!row || row.fingerprint === null) return { kind: 'under-way' }
      const { fingerprint, status, headers, body } = row
      return { kind: 'done', fingerprint, answer: { status, headers, json: body } }
    },

    async finish(claim, fingerprint, answer: StoredAnswer) {
      stopBeat(claim)
      await pool.query(
        `update idempotency_keys set fingerprint = $3, status = $4, headers = $5, body = $6
         where actor_id = $1 and key = $2`,
        [
          claim.actorId,
          claim.key,
          fingerprint,
          answer.status,
          JSON.stringify(answer.headers),
          JSON.stringify(answer.json),
        ],
      )
    },

    async forget(claim) {
      stopBeat(claim)
      await pool.query('delete from idempotency_keys where actor_id = $1 and key = $2', [
        claim.actorId,
        claim.key,
      ])
    },

    async sweep() {
      await pool.query(
        `delete from idempotency_keys where created_at < now() - make_interval(hours => ${KEPT_HOURS})`,
      )
      await pool.query('delete from login_attempts where expire < $1', [Date.now()])
    },
  }
}
