import type { Pool } from 'pg'

import { offsetOf, pageOf, pageQuery, type PageRow } from '../../db/page-query.ts'
import { SourceLoadNotFoundException } from '../../errors/index.ts'
import type { Page, PageRequest } from '../../resources/page.ts'
import type { TableColumn } from '../tables/stored-column.ts'
import type { Drift, Load, LoadOrigin } from './load.ts'

interface LoadRow {
  readonly id: number
  readonly uuid: string
  readonly table_id: number
  readonly number: number
  readonly kind: Load['kind']
  readonly mode: Load['mode']
  readonly key_column: string | null
  readonly state: Load['state']
  readonly user_uuid: string | null
  readonly user_name: string | null
  readonly filename: string | null
  readonly size_bytes: number | null
  readonly sha256: string | null
  readonly origin: LoadOrigin | null
  readonly options: unknown
  readonly dialect: unknown
  readonly rows_read: number | null
  readonly rows_loaded: number
  readonly rows_rejected: number
  readonly rows_blank: number
  readonly drift: Drift | null
  readonly report: unknown
  readonly error: unknown
  readonly columns: readonly TableColumn[] | null
  readonly shown_load_id: number | null
  readonly partition_id: number | null
  readonly started_at: Date
  readonly finished_at: Date | null
  readonly published_at: Date | null
}

const FIELDS = 'l.*, u.uuid as user_uuid, u.name as user_name'

const LIST = pageQuery({
  counted: 'select count(*) as total from loads where table_id = $1',
  items: `
    select ${FIELDS} from loads l left join users u on u.id = l.user_id
    where l.table_id = $1 order by l.number desc limit $2 offset $3`,
  createdAt: 'number',
})

/** Every attempt, newest first. Whoever asks has found the table's owner within their scope. */
export async function listLoads(
  pool: Pool,
  tableId: number,
  request: PageRequest,
): Promise<Page<Load>> {
  const values = [tableId, request.limit, offsetOf(request)]
  const { items, total } = pageOf((await pool.query<PageRow<LoadRow>>(LIST, values)).rows)
  return { items: items.map(toLoad), total }
}

export async function findLoad(pool: Pool, tableId: number, uuid: string): Promise<Load> {
  const { rows } = await pool.query<LoadRow>(
    `select ${FIELDS} from loads l left join users u on u.id = l.user_id
     where l.table_id = $1 and l.uuid = $2`,
    [tableId, uuid],
  )
  const [row] = rows
  if (row === undefined) throw new SourceLoadNotFoundException()
  return toLoad(row)
}

/** Newest first. */
export async function findStaged(pool: Pool, tableId: number): Promise<Load[]> {
  const { rows } = await pool.query<LoadRow>(
    `select ${FIELDS} from loads l left join users u on u.id = l.user_id
     where l.table_id = $1 and l.state = 'staged' order by l.number desc`,
    [tableId],
  )
  return rows.map(toLoad)
}

/** Of one that was found in a tree of states. */
export async function findLoadById(pool: Pool, id: number): Promise<Load> {
  const { rows } = await pool.query<LoadRow>(
    `select ${FIELDS} from loads l left join users u on u.id = l.user_id where l.id = $1`,
    [id],
  )
  return toLoad(rows[0]!)
}

function toLoad(row: LoadRow): Load {
  const { user_uuid: userUuid, user_name: userName } = row
  return {
    id: row.id,
    uuid: row.uuid,
    tableId: row.table_id,
    number: row.number,
    kind: row.kind,
    mode: row.mode,
    key: row.key_column,
    state: row.state,
    loadedBy: userUuid === null || userName === null ? null : { uuid: userUuid, name: userName },
    filename: row.filename,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    origin: row.origin,
    options: row.options,
    dialect: row.dialect,
    counts:
      row.rows_read === null
        ? null
        : {
            read: row.rows_read,
            loaded: row.rows_loaded,
            rejected: row.rows_rejected,
            blank: row.rows_blank,
          },
    drift: row.drift,
    report: row.report,
    error: row.error,
    columns: row.columns ?? [],
    shownLoadId: row.shown_load_id,
    partitionId: row.partition_id,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    publishedAt: row.published_at,
  }
}
