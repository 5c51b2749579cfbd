import type { Pool } from 'pg'

import { type EntityOf, selectionOf } from '../resources/resource.ts'
import { load, type LoadMode } from '../resources/load.ts'
import type { TableColumn } from './table/stored-column.ts'
import type { StoredFile } from '../domain/uploads/read-while-storing.ts'
import type { Queries } from '../db/in-turn.ts'
import { offsetOf, boundedPageOf, pageQuery, type PageRow } from '../db/page-query.ts'
import { queryUntilAborted } from '../db/until-aborted.ts'
import { SourceLoadNotFoundException } from '../errors/index.ts'
import type { Page, PageRequest } from '../resources/page.ts'

export type { LoadMode }

/** One attempt to change what a table shows, whoever made it, and its outcome. */
export interface Load extends EntityOf<typeof load> {
  /** The columns of the state that it led to. */
  readonly columns: readonly TableColumn[]
}

/** SQL: of a load `l`, that it is shown, and the latest of its slot that is, if it has one. */
export const IS_HELD = `l.state = 'current' and not exists (
  select from loads later
  where later.table_id = l.table_id and later.slot = l.slot and later.state = 'current'
    and later.publication > l.publication)`

/** What was read, as far as it is known. */
export interface SentContent {
  readonly filename: string
  readonly sizeBytes: number | null
  readonly sha256: string | null
}

/** The upload that a load keeps so that it can be read again. */
export type KeptFile = StoredFile

/** SQL that selects it from a load that keeps one. */
const FILE_OF_LOAD = `object_bucket as bucket, object_path as path,
  coalesce(filename, '') as filename, coalesce(size_bytes, 0) as "sizeBytes", coalesce(sha256, '') as sha256`

/** Null: it keeps none, or no longer. */
export async function fileOfLoad(pool: Pool, { id }: Load): Promise<KeptFile | null> {
  const { rows } = await pool.query<KeptFile>(
    `select ${FILE_OF_LOAD} from loads where id = $1 and object_path is not null`,
    [id],
  )
  return rows[0] ?? null
}

export function modeOf({ mode, key, slot }: Load): LoadMode {
  if (mode === 'upsert') return { kind: mode, key: key! }
  return mode === 'append' && slot !== null ? { kind: mode, slot } : { kind: mode ?? 'replace' }
}

const FIELDS = `${selectionOf(load, 'l')}, coalesce(l.columns, '[]') as columns`

const LIST = pageQuery({
  counted: 'select count(*) as total from loads where table_id = $1',
  items: `
    select ${FIELDS} from loads l
    where l.table_id = $1 order by l.number desc limit $2 offset $3`,
  order: 'page.number desc',
  bounded: true,
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
  return boundedPageOf((await queryUntilAborted<PageRow<Load>>(pool, query, signal)).rows, request)
}

export async function findLoad(pool: Queries, tableId: number, uuid: string): Promise<Load> {
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
