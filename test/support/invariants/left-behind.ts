import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Shelter } from './shelter.ts'

/** Folders that hold something only while it is worked on. */
const PASSING_FOLDERS = ['tmp', 'objects/incoming']

/** Open transactions, temporary files, remnants of multipart uploads. */
export async function leftBehind(shelter: Shelter): Promise<string[]> {
  const { pool, dataDir } = shelter
  const { rows: idle } = await pool.query<{ query: string }>(
    `select left(query, 120) as query from pg_stat_activity
     where datname = current_database() and state like 'idle in transaction%'`,
  )
  const files = await Promise.all(
    PASSING_FOLDERS.map(async (folder) =>
      (await namesIn(join(dataDir, folder))).map((name) => `the file ${folder}/${name}`),
    ),
  )
  return [
    ...idle.map(({ query }) => `a transaction left open after: ${query}`),
    ...files.flat(),
    ...(await forgottenUploads(shelter)),
  ]
}

/** Multipart uploads that no row stands for, so that nobody would ever end them. */
async function forgottenUploads({ pool, dataDir, buckets }: Shelter): Promise<string[]> {
  const { rows } = await pool.query<{ id: string; place: string }>(
    `select multipart_id as id, bucket || '/' || path as place from document_uploads
     union all select '', bucket || '/' || path from object_claims`,
  )
  const remembered = new Set(rows.flatMap(({ id, place }) => [id, place]))
  const open = buckets
    ? buckets.names.flatMap((bucket) =>
        buckets.server.openUploadsIn(bucket).map((key) => `${bucket}/${key}`),
      )
    : await namesIn(join(dataDir, 'objects/uploads'))
  return open.filter((upload) => !remembered.has(upload)).map((upload) => `the upload ${upload}`)
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
