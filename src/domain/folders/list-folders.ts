import type { Pool } from 'pg'

import { type Folder, type FolderRow, toFolder } from './folder.ts'
import { SHOWN_COLUMNS } from './folder-sql.ts'
import type { FolderFilter } from './folders.ts'

// Two branches, so that each finds its rows by its own index.
const matches = (term: string) => `f.id in (
  select id from folders where search_fold(name) like search_pattern(${term})
  union all
  select folders.id from folders join enterprises on enterprises.id = folders.enterprise_id
  where search_fold(enterprises.name) like search_pattern(${term}))`

/** Active folders of all enterprises; the total is told also where the page is empty. */
export async function listFolders(
  pool: Pool,
  { page, limit, search, accountType, enterpriseId, parent }: FolderFilter,
): Promise<{ items: Folder[]; total: number }> {
  const values: unknown[] = [limit, (page - 1) * limit]
  const parameter = (value: unknown) => `$${values.push(value)}`
  const conditions = ['f.deleted_at is null']
  if (parent === 'root') conditions.push('f.parent_id is null')
  if (enterpriseId !== undefined) {
    conditions.push(`f.enterprise_id = ${parameter(enterpriseId)}`)
  }
  if (accountType !== undefined) {
    const accounts = `select id from enterprises where account_type = ${parameter(accountType)}`
    conditions.push(`f.enterprise_id in (${accounts})`)
  }
  if (search !== undefined) conditions.push(matches(parameter(search)))
  const where = conditions.join(' and ')

  const { rows } = await pool.query<FolderRow & { total: number; id: number | null }>(
    `select counted.total, page.*
     from (select count(*) as total from folders f where ${where}) counted
     left join (
       select ${SHOWN_COLUMNS}
       from (select * from folders f where ${where} order by id desc limit $1 offset $2) f
       join enterprises e on e.id = f.enterprise_id) page on true
     order by page.id desc`,
    values,
  )
  return {
    items: rows.filter(({ id }) => id !== null).map(toFolder),
    total: rows[0]!.total,
  }
}
