import type { ClientBase } from 'pg'

import type { KeptFile } from '../load.ts'

interface FileRow {
  readonly bucket: string
  readonly path: string
  readonly filename: string | null
  readonly size_bytes: number | null
  readonly sha256: string | null
}

const FILE = 'object_bucket as bucket, object_path as path, filename, size_bytes, sha256'

function toFile({ bucket, path, ...row }: FileRow): KeptFile {
  return {
    bucket,
    path,
    filename: row.filename ?? '',
    sizeBytes: row.size_bytes ?? 0,
    sha256: row.sha256 ?? '',
  }
}

/**
 * Marks loads that can no longer be shown; the tables with their rows are dropped afterwards.
 * Returns the files that belong to no other load.
 */
async function forget(client: ClientBase, which: string, value: unknown): Promise<KeptFile[]> {
  const { rows } = await client.query<FileRow>(
    `with forgotten as (
       select * from loads where ${which} and state in ('staged', 'current', 'kept')),
     done as (
       update loads l
       set state = 'gone', partition_id = null, taken_id = null, ended_by = null,
           object_bucket = null, object_path = null, corrects = null
       from forgotten f where l.id = f.id)
     select distinct ${FILE} from forgotten f
     where object_path is not null and not exists (
       select from loads l
       where l.object_path = f.object_path and l.object_bucket = f.object_bucket
         and l.id not in (select id from forgotten))`,
    [value],
  )
  return rows.map(toFile)
}

/**
 * Together with everything that was published on top of it. A staged load has no root, so it is
 * not in the index of roots.
 */
export const markRootGone = (client: ClientBase, rootId: number): Promise<KeptFile[]> =>
  forget(client, `root_id = $1 and state in ('current', 'kept')`, rootId)

export async function markGone(client: ClientBase, ids: readonly number[]): Promise<KeptFile[]> {
  if (ids.length === 0) return []
  return forget(client, 'id = any ($1)', ids)
}

/** The files of all loads of a table. */
export async function filesOfTable(client: ClientBase, tableId: number): Promise<KeptFile[]> {
  const { rows } = await client.query<FileRow>(
    `select distinct ${FILE} from loads where table_id = $1 and object_path is not null`,
    [tableId],
  )
  return rows.map(toFile)
}
