import { inTurn, type Queries } from '../../db/in-turn.ts'
import type { JobContext } from '../../jobs/job.ts'
import { MOST_FAILED_NAMED, type RootDeletionResult } from '../../resources/root-deletion.ts'
import { MAX_DELETE_KEYS, type NotDeleted, type ObjectStore } from '../../storage/object-store.ts'
import { folderMessages } from './folder-messages.ts'
import { above } from './folder-sql.ts'

export interface FailedDocuments extends Pick<RootDeletionResult, 'failedDocuments'> {
  /** Counts all of them, including those that are no longer listed. */
  readonly failedDocumentCount: number
}

/** The job distinguishes another run of the same deletion from a different one. */
export type DeletionContext = Pick<JobContext, 'jobUuid' | 'signal' | 'report' | 'requireRights'>

interface DeletionParts extends DeletionContext {
  readonly client: Queries
  readonly store: ObjectStore
  readonly rootId: number
  /** Deleted by earlier runs of the same job. */
  readonly deletedBefore: number
  readonly silentAfterMs: number
}

type FailedDocument = FailedDocuments['failedDocuments'][number]

interface StoredDocument {
  id: number
  uuid: string
  folder_id: number
  bucket: string
  path: string
}

const BATCHES_AT_ONCE = 4

// Walks the tree in the order of an index, whatever its size.
const NEXT_PAGE = `
  select d.id, d.uuid, d.folder_id, d.bucket, d.path
  from folders f join documents d on d.folder_id = f.id
  where f.root_id = $1 and f.id >= $2 and (f.id > $2 or d.id > $3)
  order by f.id, d.id limit ${MAX_DELETE_KEYS}`

const DELETE_AND_COUNT = `
  with gone as (delete from documents where id = any($1) returning id),
  counted as (${countInto('deleted_documents', '$2')})
  select count(*) as deleted from gone`

/**
 * Deletes the documents of a tree in batches of one bucket, each document first from the storage,
 * then from the database. What the storage did not delete is kept and reported with the reason. A
 * bucket that does not even answer gets no further requests, so that the time does not grow with
 * the tree.
 */
export async function deleteDocuments(given: DeletionParts): Promise<FailedDocuments> {
  const { rootId, jobUuid, silentAfterMs, signal, report, requireRights } = given
  const client = inTurn(given.client)
  const waiting = new Map<string, StoredDocument[]>()
  const underWay = new Set<Promise<void>>()
  const failedDocuments: FailedDocument[] = []
  let failedDocumentCount = 0
  /** The reason for each bucket that does not answer. */
  const silent = new Map<string, FailedDocument['reason']>()
  let deletedDocuments = given.deletedBefore
  const failures: unknown[] = []

  async function send(bucket: string): Promise<void> {
    const batch = waiting.get(bucket) ?? []
    waiting.delete(bucket)
    const reason = silent.get(bucket)
    await requireRights(client)
    const begun = performance.now()
    const { deleted, failed } =
      reason === undefined
        ? await deleteBatch(client, given.store, jobUuid, bucket, batch)
        : { deleted: 0, failed: batch.map(({ uuid }) => ({ uuid, reason })) }
    const isSilent = failed.length === batch.length && performance.now() - begun > silentAfterMs
    if (isSilent) silent.set(bucket, failed[0]!.reason)
    deletedDocuments += deleted
    failedDocumentCount += failed.length
    failedDocuments.push(...failed.slice(0, MOST_FAILED_NAMED - failedDocuments.length))
    report({ phase: 'deleting', rows: deletedDocuments, rejected: failedDocumentCount })
  }

  async function start(bucket: string): Promise<void> {
    if (underWay.size >= BATCHES_AT_ONCE) await Promise.race(underWay)
    signal.throwIfAborted()
    if (failures.length > 0) throw failures[0]
    const work = send(bucket)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => underWay.delete(work))
    underWay.add(work)
  }

  try {
    for await (const document of documentsOf(client, rootId)) {
      const batch = waiting.get(document.bucket) ?? []
      waiting.set(document.bucket, batch)
      if (batch.push(document) === MAX_DELETE_KEYS) await start(document.bucket)
    }
    for (const bucket of waiting.keys()) await start(bucket)
  } finally {
    // A batch that has begun is finished, since the storage and the database must agree.
    await Promise.all(underWay)
  }
  if (failures.length > 0) throw failures[0]
  return { failedDocuments, failedDocumentCount }
}

async function* documentsOf(client: Queries, rootId: number) {
  let last = { folder_id: 0, id: 0 }
  for (;;) {
    const page = await client.query<StoredDocument>(NEXT_PAGE, [rootId, last.folder_id, last.id])
    yield* page.rows
    const end = page.rows.at(-1)
    if (!end) return
    last = end
  }
}

async function deleteBatch(
  client: Queries,
  store: ObjectStore,
  jobUuid: string,
  bucket: string,
  batch: readonly StoredDocument[],
): Promise<{ deleted: number; failed: FailedDocument[] }> {
  const outcomes = await store.deleteMany(
    bucket,
    batch.map(({ path }) => path),
  )
  const gone: number[] = []
  const failed: FailedDocument[] = []
  for (const [index, outcome] of outcomes.entries()) {
    const { id, uuid } = batch[index]!
    if (outcome.outcome === 'failed') failed.push({ uuid, reason: reasonOf(outcome) })
    else gone.push(id)
  }
  const { rows } = await client.query<{ deleted: number }>(DELETE_AND_COUNT, [gone, jobUuid])
  return { deleted: rows[0]!.deleted, failed }
}

function reasonOf(failure: NotDeleted) {
  switch (failure.why) {
    case 'refused':
      return folderMessages.fileRefused({ code: failure.code ?? '' })
    case 'unavailable':
      return folderMessages.storageUnavailable()
    case 'untold':
      return folderMessages.fileUntold()
  }
}

/**
 * Deletes the folders of a tree that contain no document at any depth; folders with documents stay,
 * together with their ancestors. The foreign keys ensure that no document loses its folder.
 */
export async function deleteEmptyFolders(
  client: Queries,
  rootId: number,
  jobUuid: string,
): Promise<{ folderDeleted: boolean }> {
  // The plans for checking the foreign keys may date from when the table was small.
  await client.query('discard plans')
  const { rows } = await client.query<{ root_deleted: boolean }>(
    `with recursive needed as (
       select f.id, f.parent_id from folders f
       where f.root_id = $1 and exists (select from documents d where d.folder_id = f.id)
       union
       select above.* from needed cross join lateral ${above('needed', 'f.id, f.parent_id')}),
     gone as (
       delete from folders where root_id = $1 and id not in (select id from needed) returning id),
     counted as (${countInto('deleted_folders', '$2')})
     select coalesce(bool_or(id = $1), false) as root_deleted from gone`,
    [rootId, jobUuid],
  )
  return { folderDeleted: rows[0]!.root_deleted }
}

/** What a deletion has done so far, over all runs of its job. */
interface DeletionTally {
  readonly enterpriseId: number
  readonly deletedDocuments: number
  readonly deletedFolders: number
  readonly durationMs: number
}

/** Continues the tally of an earlier run of the same job. */
export async function openTally(
  client: Queries,
  jobUuid: string,
  enterpriseId: number,
): Promise<DeletionTally> {
  await client.query(
    `insert into root_deletions (job_uuid, enterprise_id) values ($1, $2)
     on conflict (job_uuid) do nothing`,
    [jobUuid, enterpriseId],
  )
  return (await readTally(client, jobUuid))!
}

/** Null if the job never began to delete. */
export async function readTally(client: Queries, jobUuid: string): Promise<DeletionTally | null> {
  const { rows } = await client.query<DeletionTally>(
    `select enterprise_id as "enterpriseId", deleted_documents as "deletedDocuments",
            deleted_folders as "deletedFolders",
            extract(epoch from clock_timestamp() - begun_at)::float8 * 1000 as "durationMs"
     from root_deletions where job_uuid = $1`,
    [jobUuid],
  )
  return rows[0] ?? null
}

/** Part of the statement that deletes, so that whatever is deleted is also counted. */
function countInto(column: 'deleted_documents' | 'deleted_folders', jobUuid: string): string {
  return `
    update root_deletions set ${column} = ${column} + (select count(*) from gone)
    where job_uuid = ${jobUuid}`
}
