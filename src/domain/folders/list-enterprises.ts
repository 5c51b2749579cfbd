import type { Pool } from 'pg'

import type { AccountType } from '../actor.ts'
import type { EligibleEnterprise, PageRequest } from './folders.ts'

interface EnterpriseRow {
  total: number
  id: number | null
  uuid: string
  name: string
  account_type: AccountType
  has_folder: boolean
}

/** The directory from which the enterprise of a new root is chosen. */
export async function listEnterprises(
  pool: Pool,
  { page, limit, search }: PageRequest & { readonly search?: string },
): Promise<{ items: EligibleEnterprise[]; total: number }> {
  const where = '($3::text is null or search_fold(name) like search_pattern($3))'
  const { rows } = await pool.query<EnterpriseRow>(
    `select counted.total, page.*
     from (select count(*) as total from enterprises where ${where}) counted
     left join (
       select id, uuid, name, account_type,
              exists (select from folders where enterprise_id = enterprises.id
                      and parent_id is null and deleted_at is null) as has_folder
       from enterprises where ${where} order by id desc limit $1 offset $2) page on true
     order by page.id desc`,
    [limit, (page - 1) * limit, search ?? null],
  )
  return { items: rows.flatMap(toEnterprise), total: rows[0]!.total }
}

function toEnterprise(row: EnterpriseRow): EligibleEnterprise[] {
  if (row.id === null) return []
  const { id, uuid, name, account_type: accountType, has_folder: hasFolder } = row
  return [{ id, uuid, name, accountType, hasFolder }]
}
