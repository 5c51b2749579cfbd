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
import { type EligibleQuery, listEnterprises } from './list-enterprises.ts'
import { type FolderFilter, listFolders } from './list-folders.ts'

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
    createdAt: 'created_at',
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
