import type { Pool } from 'pg'

import { newestFirst, offsetOf, pageOf, pageQuery, type PageRow } from '../../db/page-query.ts'
import { queryUntilAborted } from '../../db/until-aborted.ts'
import type { RoleType } from '../../resources/account-types.ts'
import { type ListedEnterprise, listedEnterprise } from '../../resources/enterprise.ts'
import type { Page, PageRequest } from '../../resources/page.ts'
import { selectionOf } from '../../resources/resource.ts'
import { type User, user } from '../../resources/user.ts'

export interface EnterpriseQuery extends PageRequest {
  readonly search?: string | undefined
}

export interface UserQuery extends EnterpriseQuery {
  readonly enterpriseId?: number | undefined
  readonly role?: RoleType | undefined
}

const ENTERPRISES = listQuery(
  `enterprises e where ($3::text is null or search_fold(e.name) like search_pattern($3))`,
  selectionOf(listedEnterprise, 'e'),
  'e',
)

const USERS = listQuery(
  `users u where ($3::text is null or search_fold(u.name) like search_pattern($3)
                  or search_fold(u.email::text) like search_pattern($3))
     and ($4::integer is null or u.enterprise_id = $4) and ($5::text is null or u.role_type = $5)`,
  selectionOf(user, 'u'),
  'u',
)

function listQuery(rows: string, selection: string, row: string): string {
  return pageQuery({
    counted: `select count(*) as total from ${rows}`,
    items: `select ${selection} from ${rows} order by ${newestFirst(row)} limit $1 offset $2`,
  })
}

export async function listEnterprises(
  pool: Pool,
  request: EnterpriseQuery,
  signal: AbortSignal,
): Promise<Page<ListedEnterprise>> {
  const values = [request.limit, offsetOf(request), request.search ?? null]
  const query = { text: ENTERPRISES, values }
  const { rows } = await queryUntilAborted<PageRow<ListedEnterprise>>(pool, query, signal)
  return pageOf(rows)
}

export async function listUsers(
  pool: Pool,
  request: UserQuery,
  signal: AbortSignal,
): Promise<Page<User>> {
  const { search = null, enterpriseId = null, role = null } = request
  const values = [request.limit, offsetOf(request), search, enterpriseId, role]
  const query = { text: USERS, values }
  const { rows } = await queryUntilAborted<PageRow<User>>(pool, query, signal)
  return pageOf(rows)
}
