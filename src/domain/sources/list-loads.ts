import type { Pool } from 'pg'

import { offsetOf, pageOf, pageQuery, type PageRow } from '../../db/page-query.ts'
import type { Drift, SourceLoad, Sources } from './sources.ts'

interface LoadRow {
  id: number
  uuid: string
  kind: SourceLoad['kind']
  mode: SourceLoad['mode']
  key_column: string | null
  user_uuid: string | null
  user_name: string | null
  filename: string | null
  size_bytes: number | null
  sha256: string | null
  options: unknown
  dialect: unknown
  rows_read: number
  rows_loaded: number
  rows_rejected: number
  rows_blank: number
  drift: Drift
  report: unknown
  started_at: Date
  finished_at: Date
}

const LOADS = pageQuery({
  counted: 'select count(*) as total from source_loads where source_id = $1',
  items: `
    select l.*, u.uuid as user_uuid, u.name as user_name
    from source_loads l left join users u on u.id = l.user_id
    where source_id = $1 order by l.finished_at desc, l.id desc limit $2 offset $3`,
  createdAt: 'finished_at',
})

/** Every load that succeeded, newest first. */
export function listLoads(pool: Pool, find: Sources['find']): Sources['loads'] {
  return async (actor, uuid, request) => {
    const source = await find(actor, uuid)
    const values = [source.id, request.limit, offsetOf(request)]
    const { rows } = await pool.query<PageRow<LoadRow>>(LOADS, values)
    const { items, total } = pageOf(rows)
    return { items: items.map(toLoad), total }
  }
}

function toLoad(row: LoadRow): SourceLoad {
  const { user_uuid: userUuid, user_name: userName } = row
  return {
    uuid: row.uuid,
    kind: row.kind,
    mode: row.mode,
    key: row.key_column,
    loadedBy: userUuid === null || userName === null ? null : { uuid: userUuid, name: userName },
    filename: row.filename,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    options: row.options,
    dialect: row.dialect,
    counts: {
      read: row.rows_read,
      loaded: row.rows_loaded,
      rejected: row.rows_rejected,
      blank: row.rows_blank,
    },
    drift: row.drift,
    report: row.report,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  }
}
