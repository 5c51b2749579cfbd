import type { Pool } from 'pg'

import type { Lookups } from '../../db/lookups.ts'
import { newestFirst, offsetOf, pageOf, pageQuery, type PageRow } from '../../db/page-query.ts'
import { queryUntilAborted } from '../../db/until-aborted.ts'
import { FolderNotFoundException } from '../../errors/index.ts'
import { type Folder, folder } from '../../resources/folder.ts'
import type { Page, PageRequest } from '../../resources/page.ts'
import { selectionOf } from '../../resources/resource.ts'
import { SCOPES } from '../../scope.ts'
import type { Actor } from '../actor.ts'
import { above } from './folder-sql.ts'
import type { AccountType } from '../../resources/account-types.ts'
import type { EligibleEnterprise } from '../../resources/enterprise.ts'

// Read at every click in the tree, so with plain pg, in one round trip each, and prepared, since
// planning takes as long as reading.

const CHILDREN = {
  name: 'folder-children',
  text: pageQuery({
    from: 'folders p cross join lateral',
    counted: 'select count(*) as total from folders where parent_id = p.id and deleted_at is null',
    items: `
      select ${selectionOf(folder, 'f')}
      from (select * from folders c where c.parent_id = p.id and c.deleted_at is null
            order by ${newestFirst('c')} limit $3 offset $4) f`,
    where: `where p.uuid = $1 and p.deleted_at is null and ${SCOPES.folders.rows('p', '$2')}`,
    order: newestFirst('page'),
  }),
}

const BREADCRUMB = {
  name: 'folder-breadcrumb',
  text: `
    with recursive path as (
      select uuid, name, parent_id, 0 as height from folders p
      where p.uuid = $1 and p.deleted_at is null and ${SCOPES.folders.rows('p', '$2')}
      union all
      select above.*, path.height + 1
      from path cross join lateral ${above('path', 'f.uuid, f.name, f.parent_id')})
    select uuid, name from path order by height desc`,
}

const ROOT_AND_CHILDREN = `
  with root as (
    select id from folders f
    where ${SCOPES.enterpriseFolders.rows('f', '$1')} and parent_id is null and deleted_at is null)
  select ${selectionOf(folder, 'f')}
  from folders f, root
  where f.id = root.id or f.parent_id = root.id and f.deleted_at is null
  order by f.parent_id is not null, ${newestFirst('f')}`

export interface FolderReadingParts {
  readonly pool: Pool
  readonly lookups: Lookups
}

export function createFolderReading({ pool, lookups }: FolderReadingParts) {
  return {
    list: (actor: Actor, filter: FolderFilter, signal: AbortSignal) =>
      listFolders(pool, actor, filter, signal),
    enterprises: (query: EligibleQuery, signal: AbortSignal) =>
      listEnterprises(pool, query, signal),

    /** The root of the actor's own enterprise and its immediate children. */
    async mine(actor: Actor): Promise<{ root: Folder; children: Folder[] }> {
      const reach = SCOPES.enterpriseFolders.reach(actor)
      const { rows } = await pool.query<Folder>(ROOT_AND_CHILDREN, [reach])
      const [root, ...children] = rows
      if (!root) throw new FolderNotFoundException()
      return { root, children }
    },

    async children(
      actor: Actor,
      uuid: string,
      request: PageRequest,
      signal: AbortSignal,
    ): Promise<Page<Folder>> {
      const values = [uuid, SCOPES.folders.reach(actor), request.limit, offsetOf(request)]
      const query = { ...CHILDREN, values }
      const { rows } = await queryUntilAborted<PageRow<Folder>>(pool, query, signal)
      if (rows.length === 0) throw new FolderNotFoundException()
      return pageOf(rows)
    },

    /** From the root down to the folder itself. */
    async breadcrumb(actor: Actor, uuid: string): Promise<Pick<Folder, 'uuid' | 'name'>[]> {
      const { rows } = await lookups.query<Pick<Folder, 'uuid' | 'name'>>({
        ...BREADCRUMB,
        values: [uuid, SCOPES.folders.reach(actor)],
      })
      if (rows.length === 0) throw new FolderNotFoundException()
      return rows
    },
  }
}

interface FolderFilter extends PageRequest {
  readonly search?: string | undefined
  readonly accountType?: AccountType | undefined
  readonly enterpriseId?: number | undefined
  readonly parent: 'root' | 'all' | 'deleted'
}

/** What a restoration brings back is shown as one: the top of it. */
const DELETED = `
  and f.deleted_at is not null
  and not exists (
    select from folders p where p.id = f.parent_id and p.deleted_at = f.deleted_at)`

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

/** Active folders, unless those are wanted that were deleted. */
async function listFolders(
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
  let filters = parent === 'deleted' ? DELETED : 'and f.deleted_at is null'
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
      order: newestFirst('page'),
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

interface EligibleQuery extends PageRequest {
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
async function listEnterprises(
  pool: Pool,
  request: EligibleQuery,
  signal: AbortSignal,
): Promise<Page<EligibleEnterprise>> {
  const values = [request.limit, offsetOf(request), request.search ?? null]
  const query = { text: LIST, values }
  const { rows } = await queryUntilAborted<PageRow<EligibleEnterprise>>(pool, query, signal)
  return pageOf(rows)
}
