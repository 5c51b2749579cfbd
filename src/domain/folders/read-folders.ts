import type { Pool } from 'pg'

import { FolderNotFoundException } from '../../errors/index.ts'
import { SCOPES } from '../../scope.ts'
import { type FolderRow, toFolder } from './folder.ts'
import { above, SHOWN_COLUMNS } from './folder-sql.ts'
import type { FolderReading } from './folders.ts'
import { listEnterprises } from './list-enterprises.ts'
import { listFolders } from './list-folders.ts'

// Read at every click in the tree: plain pg, one round trip each, prepared, since planning takes as
// long as reading does.

const CHILDREN = {
  name: 'folder-children',
  text: `
    select counted.total, page.*
    from folders p
    cross join lateral (
      select count(*) as total from folders where parent_id = p.id and deleted_at is null) counted
    left join lateral (
      select ${SHOWN_COLUMNS}
      from (select * from folders where parent_id = p.id and deleted_at is null
            order by id desc limit $3 offset $4) f
      join enterprises e on e.id = f.enterprise_id) page on true
    where p.uuid = $1 and p.deleted_at is null and ${SCOPES.folders.rows('p', '$2')}
    order by page.id desc`,
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
    select ${SHOWN_COLUMNS}
    from folders f join enterprises e on e.id = f.enterprise_id, root
    where f.id = root.id or (f.parent_id = root.id and f.deleted_at is null)
    order by f.parent_id is not null, f.id desc`

export function createFolderReading(pool: Pool): FolderReading {
  return {
    list: (actor, filter) => listFolders(pool, actor, filter),
    enterprises: (query) => listEnterprises(pool, query),

    async mine(actor) {
      const { rows } = await pool.query<FolderRow>(ROOT_AND_CHILDREN, [
        SCOPES.enterpriseFolders.reach(actor),
      ])
      const [root, ...children] = rows.map(toFolder)
      if (!root) throw new FolderNotFoundException()
      return { root, children }
    },

    async children(actor, uuid, { page, limit }) {
      const { rows } = await pool.query<FolderRow & { total: number; id: number | null }>({
        ...CHILDREN,
        values: [uuid, SCOPES.folders.reach(actor), limit, (page - 1) * limit],
      })
      if (!rows[0]) throw new FolderNotFoundException()
      return {
        items: rows.filter(({ id }) => id !== null).map(toFolder),
        total: rows[0].total,
      }
    },

    async breadcrumb(actor, uuid) {
      const { rows } = await pool.query<{ uuid: string; name: string }>({
        ...BREADCRUMB,
        values: [uuid, SCOPES.folders.reach(actor)],
      })
      if (rows.length === 0) throw new FolderNotFoundException()
      return rows
    },
  }
}
