import type { Pool } from 'pg'

import type { Queries } from '../../db/in-turn.ts'
import { newestFirst, offsetOf, pageOf, pageQuery, type PageRow } from '../../db/page-query.ts'
import { queryUntilAborted } from '../../db/until-aborted.ts'
import { type AuditEntry, auditEntry } from '../../resources/audit-entry.ts'
import type { Page, PageRequest } from '../../resources/page.ts'
import { selectionOf } from '../../resources/resource.ts'
import { SCOPES } from '../../scope.ts'
import type { Actor } from '../actor.ts'
import { type Deed, placeOf, recordDeed } from './record-deed.ts'

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
