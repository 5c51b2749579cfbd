import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Pool } from 'pg'

import type { Shelter } from './shelter.ts'

/** Folders that hold something only while it is worked on. */
const PASSING_FOLDERS = ['tmp', 'objects/incoming']
/** A transaction that pauses for as long as this is left open. */
const LOOK_EVERY_MS = 250
const LOOKS = 20

/** Open transactions, temporary files, remnants of multipart uploads. */
export async function leftBehind(shelter: Shelter): Promise<string[]> {
  const { pool, dataDir } = shelter
  const transactions = await openTransactions(pool)
  const files = await Promise.all(
    PASSING_FOLDERS.map(async (folder) =>
      (await namesIn(join(dataDir, folder))).map((name) => `the file ${folder}/${name}`),
    ),
  )
  return [
    ...transactions.map(({ query }) => `a transaction left open after: ${query}`),
    ...files.flat(),
    ...(await forgottenUploads(shelter)),
  ]
}

/** Those that stay where they are: whoever is between two statements is at work. */
async function openTransactions(pool: Pool): Promise<IdleTransaction[]> {
  let left = await idleTransactions(pool)
  for (let look = 0; left.length > 0 && look < LOOKS; look++) {
    await sleep(LOOK_EVERY_MS)
    const idle = new Set((await idleTransactions(pool)).map(({ since }) => since))
    left = left.filter(({ since }) => idle.has(since))
  }
  return left
}

interface IdleTransaction {
  /** Which session, and which of its pauses. */
  readonly since: string
  readonly query: string
}

async function idleTransactions(pool: Pool): Promise<IdleTransaction[]> {
  const { rows } = await pool.query<IdleTransaction>(
    `select pid || ' ' || state_change as since, left(query, 120) as query from pg_stat_activity
     where datname = current_database() and state like 'idle in transaction%'`,
  )
  return rows
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
