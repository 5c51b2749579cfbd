import type { Pool } from 'pg'

import { newestFirst, offsetOf, pageOf, pageQuery, type PageRow } from '../../db/page-query.ts'
import { queryUntilAborted } from '../../db/until-aborted.ts'
import type { AccountType } from '../../resources/account-types.ts'
import { type Folder, folder } from '../../resources/folder.ts'
import type { Page, PageRequest } from '../../resources/page.ts'
import { selectionOf } from '../../resources/resource.ts'
import { SCOPES } from '../../scope.ts'
import type { Actor } from '../actor.ts'

export interface FolderFilter extends PageRequest {
  readonly search?: string | undefined
  readonly accountType?: AccountType | undefined
  readonly enterpriseId?: number | undefined
  readonly parent: 'root' | 'all'
}

// Searched once, for the count and for the page; in two branches, so that each uses its own index.
const matchesIn = (reach: string | null, filters: string, term: string) => `
  with matches as materialized (
    select f.id, f.created_at from folders f
    where ${SCOPES.folders.rows('f', reach)} ${filters}
      and search_fold(f.name) like (select search_pattern(${term}))
    union
    select f.id, f.created_at from folders f join enterprises e on e.id = f.enterprise_id
    where ${SCOPES.folders.rows('f', reach)} ${filters}
      and search_fold(e.name) like (select search_pattern(${term})))`

/** Active folders. */
export async function listFolders(
  pool: Pool,
  actor: Actor,
  filter: FolderFilter,
  signal: AbortSignal,
): Promise<Page<Folder>> {
  const { search, accountType, enterpriseId, parent } = filter
  const values: unknown[] = [filter.limit, offsetOf(filter)]
  const parameter = (value: unknown) => `$${values.push(value)}`
  const reached = SCOPES.folders.reach(actor)
  const reach = reached === null ? null : parameter(reached)
  let filters = 'and f.deleted_at is null'
  if (parent === 'root') filters += ' and f.parent_id is null'
  if (enterpriseId !== undefined) filters += ` and f.enterprise_id = ${parameter(enterpriseId)}`
  if (accountType !== undefined) {
    const accounts = `select id from enterprises where account_type = ${parameter(accountType)}`
    filters += ` and f.enterprise_id in (${accounts})`
  }
  const matches = search === undefined ? '' : matchesIn(reach, filters, parameter(search))
  const found =
    search === undefined
      ? `(select f.* from folders f where ${SCOPES.folders.rows('f', reach)} ${filters}) found`
      : 'matches found'
  const query = {
    name: shapeOf({ parent, reach: reach ?? undefined, enterpriseId, accountType, search }),
    text: pageQuery({
      with: matches,
      counted: `select count(*) as total from ${found}`,
      items: `
        select ${selectionOf(folder, 'f')} from folders f
        where f.id = any (array(
          select id from ${found} order by ${newestFirst('found')} limit $1 offset $2))`,
      createdAt: 'created_at',
    }),
    values,
  }
  const { rows } = await queryUntilAborted<PageRow<Folder>>(pool, query, signal)
  return pageOf(rows)
}

/**
 * The name of the statement prepared for a set of filters, since planning would take longer than
 * searching. The server only keeps a plan if it estimates it to be no worse than one made for the
 * values. It expects ten rows of an array, and a tenth of all rows with an unknown limit.
 */
function shapeOf(filters: Readonly<Record<string, unknown>>): string {
  const given = Object.keys(filters).filter((name) => filters[name] !== undefined)
  return ['folders', filters['parent'], ...given].join(' ')
}
