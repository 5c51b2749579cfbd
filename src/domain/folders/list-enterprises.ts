import type { Pool } from 'pg'

import { newestFirst, offsetOf, pageOf, pageQuery, type PageRow } from '../../db/page-query.ts'
import { queryUntilAborted } from '../../db/until-aborted.ts'
import type { EligibleEnterprise } from '../../resources/enterprise.ts'
import type { Page, PageRequest } from '../../resources/page.ts'

export interface EligibleQuery extends PageRequest {
  readonly search?: string | undefined
}

const MATCHES = '($3::text is null or search_fold(e.name) like search_pattern($3))'

const LIST = pageQuery({
  counted: `select count(*) as total from enterprises e where ${MATCHES}`,
  items: `
    select e.id, e.uuid, e.name, e.account_type as "accountType", e.created_at as "createdAt",
           exists (select from folders f where f.enterprise_id = e.id
                   and f.parent_id is null and f.deleted_at is null) as "hasFolder"
    from enterprises e where ${MATCHES} order by ${newestFirst('e')} limit $1 offset $2`,
})

/** The directory from which the enterprise of a new root is chosen. */
export async function listEnterprises(
  pool: Pool,
  request: EligibleQuery,
  signal: AbortSignal,
): Promise<Page<EligibleEnterprise>> {
  const values = [request.limit, offsetOf(request), request.search ?? null]
  const query = { text: LIST, values }
  const { rows } = await queryUntilAborted<PageRow<EligibleEnterprise>>(pool, query, signal)
  return pageOf(rows)
}
