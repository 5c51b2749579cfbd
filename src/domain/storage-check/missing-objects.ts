import type { Pool } from 'pg'

import type { ObjectStore } from '../../storage/object-store.ts'
import { StorageError } from '../../storage/storage-error.ts'
import { FILE_OF_JOB, type ObjectName } from '../uploads/uploads.ts'

export interface MissingObject extends ObjectName {
  readonly kind: 'document' | 'source' | 'job'
  readonly uuid: string
}

interface OwnerRow extends ObjectName {
  id: number
  uuid: string
}

const PAGE_ROWS = 500
const AT_ONCE = 16

const OWNERS = {
  document: 'select id, uuid, bucket, path from documents where id > $1 order by id limit $2',
  source: `select l.id, s.uuid, l.object_bucket as bucket, l.object_path as path
           from loads l join sources s on s.table_id = l.table_id
           where l.object_path is not null and l.id > $1 order by l.id limit $2`,
  job: `select id, uuid, ${FILE_OF_JOB} ->> 'bucket' as bucket, ${FILE_OF_JOB} ->> 'path' as path
        from jobs where status in ('QUEUED', 'RUNNING') and ${FILE_OF_JOB} is not null
          and id > $1 order by id limit $2`,
} as const

const STILL_THERE = {
  document: 'select from documents where uuid = $1',
  source: `select from loads l join sources s on s.table_id = l.table_id
           where s.uuid = $1 and l.object_path = $2`,
  job: `select from jobs where uuid = $1 and status in ('QUEUED', 'RUNNING')`,
} as const

/** Checks the object of every row. */
export async function findMissingObjects(
  pool: Pool,
  store: ObjectStore,
  signal: AbortSignal,
): Promise<{ documents: number; missing: MissingObject[] }> {
  const missing: MissingObject[] = []
  let documents = 0
  for (const kind of ['document', 'source', 'job'] as const) {
    for await (const page of pagesOf(pool, OWNERS[kind])) {
      if (kind === 'document') documents += page.length
      const rows = page.values()
      const work = async () => {
        for (const row of rows) {
          if (await isGone(pool, store, kind, row, signal)) {
            missing.push({ kind, uuid: row.uuid, bucket: row.bucket, path: row.path })
          }
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
    }
  }
  return { documents, missing }
}

async function* pagesOf(pool: Pool, sql: string) {
  for (let last = 0; ;) {
    const { rows } = await pool.query<OwnerRow>(sql, [last, PAGE_ROWS])
    const end = rows.at(-1)
    if (!end) return
    yield rows
    last = end.id
  }
}

async function isGone(
  pool: Pool,
  store: ObjectStore,
  kind: MissingObject['kind'],
  { bucket, path, uuid }: OwnerRow,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await store.head(bucket, path, { signal })
    return false
  } catch (error) {
    if (!(error instanceof StorageError) || error.kind !== 'not-found') throw error
    // If the object was deleted since its row was read, the row is gone as well.
    const values = kind === 'source' ? [uuid, path] : [uuid]
    const { rowCount } = await pool.query(STILL_THERE[kind], values)
    return (rowCount ?? 0) > 0
  }
}
