import type { Pool } from 'pg'

import type { Queries } from '../../db/in-turn.ts'
import {
  ACTIONS,
  type AuditAction,
  type ThingKind,
  type Via,
  type AuditEntry,
  auditEntry,
} from '../../resources/audit-entry.ts'
import type { Actor } from '../actor.ts'
import { newestFirst, offsetOf, pageOf, pageQuery, type PageRow } from '../../db/page-query.ts'
import { queryUntilAborted } from '../../db/until-aborted.ts'
import type { Page, PageRequest } from '../../resources/page.ts'
import { selectionOf } from '../../resources/resource.ts'
import { SCOPES } from '../../scope.ts'

/** What somebody did, as it is written into the audit trail. */
export interface Deed {
  readonly action: AuditAction
  readonly outcome?: 'done' | 'queued'
  /** The thing that it was done to; absent where the service itself was changed. */
  readonly thingUuid?: string | null
  /** Where the thing was before, if it is gone by now; absent: it is looked for. */
  readonly place?: Place | null
  readonly fields?: readonly string[]
  readonly by: Doer
  readonly address?: string | null
  readonly requestId?: string | null
  readonly jobUuid?: string | null
}

export interface Doer {
  /** From the command line, only the account of the system is known. */
  readonly actor: Pick<Actor, 'uuid' | 'email' | 'role' | 'enterprise'> | { readonly email: string }
  readonly via: Via
  readonly token?: string | null
}

/** Whose a thing is, and what it is called. */
interface Place {
  readonly enterpriseId: number | null
  readonly name: string | null
}

const ofUser = (user: string) =>
  `(select o.enterprise_id from users o where o.id = ${user}) as enterprise_id`

const PLACES: Readonly<Record<ThingKind, string | null>> = {
  user: 'select u.enterprise_id, u.email::text as name from users u where u.uuid = $1',
  token: `select ${ofUser('t.user_id')}, t.name from personal_tokens t where t.uuid = $1`,
  enterprise: 'select e.id as enterprise_id, e.name from enterprises e where e.uuid = $1',
  connection: 'select c.enterprise_id, c.name from connections c where c.uuid = $1',
  folder: 'select f.enterprise_id, f.name from folders f where f.uuid = $1',
  document: `select d.enterprise_id, d.original_name as name from documents d where d.uuid = $1`,
  upload: `select ${ofUser('u.user_id')}, u.original_name as name
           from document_uploads u where u.uuid = $1`,
  workflow: 'select w.enterprise_id, w.name from workflows w where w.uuid = $1',
  source: 'select s.enterprise_id, s.name from sources s where s.uuid = $1',
  load: `select s.enterprise_id, s.name || ' #' || l.number as name
         from loads l join sources s on s.table_id = l.table_id where l.uuid = $1`,
  shape: `select sh.enterprise_id, coalesce(sh.name, s.name) as name
          from shapes sh left join sources s on s.id = sh.source_id where sh.uuid = $1`,
  collection: 'select c.enterprise_id, c.name from collections c where c.uuid = $1',
  sender: 'select s.enterprise_id, s.name from collection_senders s where s.uuid = $1',
  slot: `select sl.enterprise_id, concat_ws(' · ', c.name, se.name, p.label) as name
         from collection_slots sl join collections c on c.id = sl.collection_id
         join collection_senders se on se.id = sl.sender_id
         join collection_periods p on p.id = sl.period_id where sl.uuid = $1`,
  job: `select coalesce(j.enterprise_id, o.enterprise_id) as enterprise_id, j.kind as name
        from jobs j join users o on o.id = j.owner_id where j.uuid = $1`,
  'sql-user': null,
  service: null,
}

/**
 * Whose the thing is, whoever asks: only what was done is written down, and that was done by somebody
 * who reached the thing.
 */
async function placeOf(client: Queries, action: AuditAction, uuid: string): Promise<Place | null> {
  const place = PLACES[ACTIONS[action]]
  if (place === null) return null
  const { rows } = await client.query<{ enterprise_id: number | null; name: string | null }>(
    place,
    [uuid],
  )
  return rows[0] ? { enterpriseId: rows[0].enterprise_id, name: rows[0].name } : null
}

/** The only statement that adds to the audit trail; in the transaction of the deed where it has one. */
export async function recordDeed(client: Queries, deed: Deed): Promise<void> {
  const { action, outcome = 'done', thingUuid = null, fields = [], by } = deed
  const { address = null, requestId = null, jobUuid = null } = deed
  const { uuid, email, role, enterprise } = { ...NOBODY_KNOWN, ...by.actor }
  const found = deed.place ?? (thingUuid && (await placeOf(client, action, thingUuid)))
  const place = found || { enterpriseId: enterprise?.id ?? null, name: null }
  await client.query(
    `insert into audit_entries (enterprise_id, action, outcome, thing_kind, thing_uuid, thing_name,
       fields, actor_uuid, actor_email, actor_role, via, token, address, request_id, job_uuid)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      place.enterpriseId,
      action,
      outcome,
      ACTIONS[action],
      thingUuid,
      place.name,
      fields,
      uuid,
      email,
      role,
      by.via,
      by.token ?? null,
      address,
      requestId,
      jobUuid,
    ],
  )
}

const NOBODY_KNOWN = { uuid: null, role: null, enterprise: null }

interface AuditFilter {
  readonly from?: string | undefined
  readonly until?: string | undefined
  readonly action?: string | undefined
  readonly thing?: string | undefined
  readonly actor?: string | undefined
  readonly enterpriseId?: number | undefined
}

const SCOPE = SCOPES.auditEntries

const ROWS = `audit_entries a
  where ${SCOPE.rows('a', '$1')}
    and ($2::timestamptz is null or a.created_at >= $2) and ($3::timestamptz is null or a.created_at < $3)
    and ($4::text is null or a.action = $4) and ($5::uuid is null or a.thing_uuid = $5)
    and ($6::uuid is null or a.actor_uuid = $6) and ($7::integer is null or a.enterprise_id = $7)`

const SELECTED = selectionOf(auditEntry, 'a')

const PAGE = pageQuery({
  counted: `select count(*) as total from ${ROWS}`,
  items: `select ${SELECTED} from ${ROWS} order by ${newestFirst('a')} limit $8 offset $9`,
})

// Goes on below the last entry, however many were added in the meantime.
const BATCH = `
  select ${SELECTED} from ${ROWS} and ($8::bigint is null or (a.created_at, a.id) < ($9, $8))
  order by ${newestFirst('a')} limit 1000`

const valuesOf = (actor: Actor, filter: AuditFilter) => [
  SCOPE.reach(actor),
  filter.from ?? null,
  filter.until ?? null,
  filter.action ?? null,
  filter.thing ?? null,
  filter.actor ?? null,
  filter.enterpriseId ?? null,
]

interface AuditParts {
  readonly pool: Pool
  /** For small questions that wait for nobody: sign-ins are written down, too. */
  readonly callers: Pool
}

/** Who did what. Entries are only added; `keep-audit.ts` exports and removes what is old. */
export function createAudit({ pool, callers }: AuditParts) {
  return {
    /** In the transaction of the deed; null: it has none. */
    record: (deed: Deed, client: Queries | null): Promise<void> =>
      recordDeed(client ?? callers, deed),

    /** Whose a thing is before it is removed. */
    placeOf: (action: Deed['action'], uuid: string) => placeOf(callers, action, uuid),

    async list(
      actor: Actor,
      { page, limit, ...filter }: AuditFilter & PageRequest,
      signal: AbortSignal,
    ): Promise<Page<AuditEntry>> {
      const values = [...valuesOf(actor, filter), limit, offsetOf({ page, limit })]
      const query = { text: PAGE, values }
      const { rows } = await queryUntilAborted<PageRow<AuditEntry>>(pool, query, signal)
      return pageOf(rows)
    },

    /** All of them, newest first, read in batches. */
    async *readAll(
      actor: Actor,
      filter: AuditFilter,
      signal: AbortSignal,
    ): AsyncGenerator<readonly AuditEntry[]> {
      let last: AuditEntry | undefined
      do {
        const values = [...valuesOf(actor, filter), last?.id ?? null, last?.createdAt ?? null]
        const query = { text: BATCH, values }
        const { rows } = await queryUntilAborted<AuditEntry>(pool, query, signal)
        if (rows.length > 0) yield rows
        last = rows.at(-1)
      } while (last !== undefined)
    },
  }
}

export type Audit = ReturnType<typeof createAudit>
