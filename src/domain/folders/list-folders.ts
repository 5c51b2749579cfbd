import type { Pool } from 'pg'

import { SCOPES } from '../../scope.ts'
import type { Actor } from '../actor.ts'
import { type Folder, type FolderRow, toFolder } from './folder.ts'
import { SHOWN_COLUMNS } from './folder-sql.ts'
import type { FolderFilter } from './folders.ts'

// Looked for once, for the count and for the page; in two branches, so that each has its own index.
const matchesIn = (filters: string, term: string) => `
  with matches as materialized (
    select f.id from folders f
    where ${SCOPES.folders.rows('f', '$3')} ${filters} and search_fold(f.name) like (select search_pattern(${term}))
    union
    select f.id from folders f join enterprises e on e.id = f.enterprise_id
    where ${SCOPES.folders.rows('f', '$3')} ${filters} and search_fold(e.name) like (select search_pattern(${term})))`

/** Active folders; the total is told also where the page is empty. */
export async function listFolders(
  pool: Pool,
  actor: Actor,
  { page, limit, search, accountType, enterpriseId, parent }: FolderFilter,
): Promise<{ items: Folder[]; total: number }> {
  const values: unknown[] = [limit, (page - 1) * limit, SCOPES.folders.reach(actor)]
  const parameter = (value: unknown) => `$${values.push(value)}`
  let filters = 'and f.deleted_at is null'
  if (parent === 'root') filters += ' and f.parent_id is null'
  if (enterpriseId !== undefined) filters += ` and f.enterprise_id = ${parameter(enterpriseId)}`
  if (accountType !== undefined) {
    const accounts = `select id from enterprises where account_type = ${parameter(accountType)}`
    filters += ` and f.enterprise_id in (${accounts})`
  }
  const matches = search === undefined ? null : matchesIn(filters, parameter(search))
  const all = `(select f.id from folders f where ${SCOPES.folders.rows('f', '$3')} ${filters}) found`
  const found = matches === null ? all : 'matches'

  const { rows } = await pool.query<FolderRow & { total: number; id: number | null }>({
    name: shapeOf({ parent, enterpriseId, accountType, search }),
    text: `${matches ?? ''}
     select counted.total, page.*
     from (select count(*) as total from ${found}) counted
     left join (
       select ${SHOWN_COLUMNS}
       from folders f join enterprises e on e.id = f.enterprise_id
       where f.id = any (array(
         select id from ${found} order by id desc limit $1 offset $2))) page on true
     order by page.id desc`,
    values,
  })
  return {
    items: rows.filter(({ id }) => id !== null).map(toFolder),
    total: rows[0]!.total,
  }
}

/**
 * Prepared once for each set of filters: planning would take longer than finding. The server keeps a
 * plan only if it expects no more of it than of one made for the values. Of an array it expects ten
 * rows, of a limit that it does not know a tenth of all.
 */
function shapeOf(filters: Readonly<Record<string, unknown>>): string {
  const given = Object.keys(filters).filter((name) => filters[name] !== undefined)
  return ['folders', filters['parent'], ...given].join(' ')
}
