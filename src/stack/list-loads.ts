import type { ClientBase, Pool } from 'pg'

import { offsetOf, pageOf, pageQuery, type PageRow } from '../db/page-query.ts'
import { queryUntilAborted } from '../db/until-aborted.ts'
import { SourceLoadNotFoundException } from '../errors/index.ts'
import type { Page, PageRequest } from '../resources/page.ts'
import { load } from '../resources/load.ts'
import { selectionOf } from '../resources/resource.ts'
import type { Load } from './load.ts'

const FIELDS = `${selectionOf(load, 'l')}, coalesce(l.columns, '[]') as columns`

const LIST = pageQuery({
  counted: 'select count(*) as total from loads where table_id = $1',
  items: `
    select ${FIELDS} from loads l
    where l.table_id = $1 order by l.number desc limit $2 offset $3`,
  createdAt: 'number',
})

/** Every attempt, newest first. The caller must have found the table's owner within its scope. */
export async function listLoads(
  pool: Pool,
  tableId: number,
  request: PageRequest,
  signal: AbortSignal,
): Promise<Page<Load>> {
  const values = [tableId, request.limit, offsetOf(request)]
  const query = { text: LIST, values }
  return pageOf((await queryUntilAborted<PageRow<Load>>(pool, query, signal)).rows)
}

export async function findLoad(
  pool: Pick<ClientBase | Pool, 'query'>,
  tableId: number,
  uuid: string,
): Promise<Load> {
  const { rows } = await pool.query<Load>(
    `select ${FIELDS} from loads l
     where l.table_id = $1 and l.uuid = $2`,
    [tableId, uuid],
  )
  const [row] = rows
  if (row === undefined) throw new SourceLoadNotFoundException()
  return row
}

/** Newest first. */
export async function findStaged(pool: Pool, tableId: number): Promise<Load[]> {
  const { rows } = await pool.query<Load>(
    `select ${FIELDS} from loads l
     where l.table_id = $1 and l.state = 'staged' order by l.number desc`,
    [tableId],
  )
  return rows
}

/** For a load that was found in a tree of states. */
export async function findLoadById(pool: Pool, id: number): Promise<Load> {
  const { rows } = await pool.query<Load>(`select ${FIELDS} from loads l where l.id = $1`, [id])
  return rows[0]!
}
