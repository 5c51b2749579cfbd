import { randomUUID } from 'node:crypto'

import type { ClientBase, Pool } from 'pg'

import type { Queries } from '../db/in-turn.ts'
import { deleteInBatches } from '../db/delete-in-batches.ts'
import { isDead, type Presence } from '../processes/presence.ts'
import type { Releases } from '../processes/releases.ts'

/** Where first answers are kept. */
export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>

interface IdempotencyKey {
  readonly actorId: number
  readonly key: string
}

/** A key that a request has taken, and answers for. */
interface IdempotencyClaim extends IdempotencyKey {
  readonly token: string
}

type IdempotencyState =
  | { readonly kind: 'begun'; readonly claim: IdempotencyClaim }
  | { readonly kind: 'under-way' }
  | { readonly kind: 'done'; readonly fingerprint: string; readonly answer: StoredAnswer }
  /** What was asked for is done, and whoever did it could not write down its answer, or not yet. */
  | { readonly kind: 'carried-out'; readonly fingerprint: string; readonly jobUuid: string }

export interface StoredAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON as it was sent, so that it is the same to the letter; null where there was none. */
  readonly json: string | null
}

interface IdempotencyParts {
  readonly pool: Pool
  readonly presence: Presence
  readonly releases: Releases
}

const KEPT_HOURS = 24

interface KeyRow {
  /** Null while the first request is under way. */
  fingerprint: string | null
  /** Null until it was answered. */
  status: number | null
  headers: Record<string, string>
  /** A JSON string whose text is JSON: `jsonb` itself would change the order of keys. */
  body: string | null
  job_uuid: string
}

const EXPIRED = `idempotency_keys.created_at < now() - make_interval(hours => ${KEPT_HOURS})`

// Takes a key that is new, expired, or was left behind by a process that died.
const TAKE = `
  insert into idempotency_keys (actor_id, key, process_id, token) values ($1, $2, $3, $4)
  on conflict (actor_id, key) do update
    set process_id = excluded.process_id, token = excluded.token, fingerprint = null,
        status = null, headers = null, body = null, job_uuid = null, created_at = now()
    where ${EXPIRED}
       or idempotency_keys.fingerprint is null and ${isDead('idempotency_keys.process_id')}
  returning key`

/** Drops what is older than a key is kept. */
export const removeOldKeys = (pool: Pool): Promise<number> =>
  deleteInBatches(pool, {
    table: 'idempotency_keys',
    where: EXPIRED,
    oldestBy: 'created_at',
  })

export function createIdempotencyStore({ pool, presence, releases }: IdempotencyParts) {
  /** Frees the key: the request failed for reasons of ours and may be sent again, unless its work was done. */
  async function free({ actorId, key, token }: IdempotencyClaim): Promise<void> {
    await releases.release(() =>
      pool.query(
        `delete from idempotency_keys
         where actor_id = $1 and key = $2 and token = $3 and fingerprint is null`,
        [actorId, key, token],
      ),
    )
  }

  async function writeAnswer(
    on: Queries,
    { actorId, key, token }: IdempotencyClaim,
    fingerprint: string,
    { status, headers, json }: StoredAnswer,
  ): Promise<boolean> {
    const { rowCount } = await on.query(
      `update idempotency_keys set fingerprint = $4, status = $5, headers = $6, body = $7
       where actor_id = $1 and key = $2 and token = $3`,
      [actorId, key, token, fingerprint, status, JSON.stringify(headers), JSON.stringify(json)],
    )
    return rowCount === 1
  }

  async function take(claim: IdempotencyClaim): Promise<boolean> {
    const { actorId, key, token } = claim
    try {
      const taken = await pool.query(TAKE, [actorId, key, presence.processId, token])
      return taken.rowCount === 1
    } catch (error) {
      // It may be taken although the answer was lost.
      await free(claim)
      throw error
    }
  }

  return {
    /** Takes the key, or says what became of the one who took it before. */
    async begin({ actorId, key }: IdempotencyKey): Promise<IdempotencyState> {
      const claim = { actorId, key, token: randomUUID() }
      if (await take(claim)) return { kind: 'begun', claim }
      const { rows } = await pool.query<KeyRow>(
        `select fingerprint, status, headers, body, job_uuid from idempotency_keys
         where actor_id = $1 and key = $2`,
        [actorId, key],
      )
      const [row] = rows
      if (!row || row.fingerprint === null) return { kind: 'under-way' }
      const { fingerprint, status, headers, body, job_uuid: jobUuid } = row
      if (status === null) return { kind: 'carried-out', fingerprint, jobUuid }
      return { kind: 'done', fingerprint, answer: { status, headers, json: body } }
    },

    /**
     * In the transaction that makes the work of a job visible. False: the key is another request's by
     * now, which may be about to do the same.
     */
    async carryOut(
      client: ClientBase,
      { actorId, key, token }: IdempotencyClaim,
      fingerprint: string,
      jobUuid: string,
    ): Promise<boolean> {
      const { rowCount } = await client.query(
        `update idempotency_keys set fingerprint = $4, job_uuid = $5
         where actor_id = $1 and key = $2 and token = $3`,
        [actorId, key, token, fingerprint, jobUuid],
      )
      return rowCount === 1
    },

    /** In the transaction that does all that is answered for. False: as above. */
    finishWithin: writeAnswer,

    /** What is done is done: where it cannot be written down now, it is later. */
    async finish(claim: IdempotencyClaim, fingerprint: string, given: StoredAnswer): Promise<void> {
      await releases.release(() => writeAnswer(pool, claim, fingerprint, given))
    },

    free,

    sweep: () => removeOldKeys(pool),
  }
}
