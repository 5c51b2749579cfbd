import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'

import type { Pool } from 'pg'

import type { Queries } from '../../db/in-turn.ts'
import { ServiceUnavailableException } from '../../errors/index.ts'
import type { Logger } from '../../observability/logger.ts'
import { type Presence, isDead } from '../../processes/presence.ts'
import { type Releases, eachAlone } from '../../processes/releases.ts'
import { type ObjectStore, type StoredObject, MAX_DELETE_KEYS } from '../../storage/object-store.ts'
import { StorageError } from '../../storage/storage-error.ts'
import { documentMessages } from '../documents/document-messages.ts'

interface UploadOptions {
  /** The first part of the key, which says what kind of row will own the object. */
  readonly prefix: 'documents' | 'sources'
  readonly contentType?: string
  readonly signal?: AbortSignal
}

/** A stream that is being stored. It always ends in `keep` or `discard`. */
interface UploadUnderWay extends ObjectName {
  /** Settles when the last byte is stored. An error of the source is passed on unchanged. */
  readonly stored: Promise<StoredObject>
}

interface UploadsParts {
  readonly pool: Pool
  readonly store: ObjectStore
  readonly logger: Logger
  readonly presence: Presence
  readonly releases: Releases
}

/** Somebody may wait for it who is told then that the upload failed; the sweep does not hurry. */
const REMOVED_WITHIN_MS = 2000

/**
 * Objects that no row owns yet. Until `keep`, each has a claim in the database, so a crash leaves
 * no unknown objects: the claims of dead processes are swept together with their objects.
 */
export function createUploads(parts: UploadsParts) {
  const { pool, store, logger, presence, releases } = parts
  const claims = createClaims(pool, presence)
  /** Uploads of this process that were never kept: if the claim of one is gone, the sweep got there first. */
  const unkept = new Set<string>()

  async function remove({ bucket, path }: ObjectName, signal?: AbortSignal): Promise<void> {
    const [outcome] = await store.deleteMany(bucket, [path], { ...(signal && { signal }) })
    if (outcome?.outcome === 'failed') {
      throw new StorageError('unavailable', `The object was not deleted: ${outcome.why}`)
    }
  }

  /**
   * For an object of which this process knows neither what the store has nor whether a row owns
   * it: the sweep removes it unless it was kept.
   */
  const abandon = (object: ObjectName): Promise<void> =>
    releases.release(() => claims.abandon(object))

  /** Names and claims an object that does not exist yet. */
  const claim = async (prefix: UploadOptions['prefix']): Promise<ObjectName> => {
    const object = { bucket: store.defaultBucket, path: freshPath(prefix) }
    try {
      await claims.take(object)
      return object
    } catch (error) {
      // The claim may exist although the answer was lost.
      await releases.release(() => claims.drop(object))
      throw error
    }
  }

  return {
    claim,
    abandon,

    /** Claims an object and stores the stream in it; on failure the stream is destroyed. */
    async begin(
      source: Readable,
      { prefix, contentType, ...options }: UploadOptions,
    ): Promise<UploadUnderWay> {
      // Until the store takes over, this is the only listener for errors of the source.
      source.once('error', ignore)
      let object: ObjectName
      try {
        object = await claim(prefix)
      } catch (error) {
        source.destroy()
        throw error
      }
      if (source.errored) {
        await releases.release(() => claims.drop(object))
        throw source.errored
      }
      unkept.add(nameOf(object))
      const stored = store.put(object.bucket, object.path, source, {
        ...(contentType !== undefined && { contentType }),
        ...options,
      })
      // Callers that discard the upload do not ask how it ended.
      stored.catch(ignore)
      return { ...object, stored }
    },

    /** Runs in the transaction that writes the row which owns the object from then on. */
    async keep(client: Queries, object: ObjectName): Promise<void> {
      if (!(await claims.settle(client, object))) {
        throw new ServiceUnavailableException(documentMessages.uploadTooSlow())
      }
      unkept.delete(nameOf(object))
    },

    /** Runs in the transaction after which nobody needs the object: the next sweep removes it. */
    async disown(client: Queries, object: ObjectName): Promise<void> {
      await claims.abandon(object, client)
      unkept.delete(nameOf(object))
    },

    /** For stored objects that wait for a worker: in the meantime no process needs to be alive for them. */
    async park(object: ObjectName, forMs: number): Promise<void> {
      await claims.leave(object, forMs)
      unkept.delete(nameOf(object))
    },

    /**
     * Waits for the upload to end and removes the object; if that fails now, a sweep does it later. If
     * the claim is gone, the object was kept after all, though its commit may have looked like a failure.
     */
    async discard(object: ObjectName | UploadUnderWay): Promise<void> {
      if ('stored' in object) await object.stored.catch(ignore)
      const isUnkept = unkept.delete(nameOf(object))
      try {
        // If the sweep took this process for dead, the object may have been stored only after its
        // removal.
        if (!(await claims.condemn(object)) && !isUnkept) return
        await remove(object, AbortSignal.timeout(REMOVED_WITHIN_MS))
        await claims.drop(object)
      } catch (error) {
        logger.warn({ err: error }, 'an upload could not be removed: the sweep will do it')
        await abandon(object)
      }
    },

    /** Removes an object whose row was just deleted. Rejects if the object still exists. */
    remove: (object: ObjectName): Promise<void> => remove(object),
    /** Removes what dead processes left behind: objects and open multipart uploads. */
    sweep: (): Promise<void> => sweepOrphans({ pool, store, presence }),
  }
}

export type Uploads = ReturnType<typeof createUploads>

/** A path that was never used before, since a failed upload may remove whatever its key holds. */
function freshPath(prefix: UploadOptions['prefix']): string {
  const id = randomUUID()
  return `${prefix}/${id.slice(0, 2)}/${id}`
}

const ignore = () => undefined

const nameOf = ({ bucket, path }: ObjectName) => `${bucket}/${path}`

/** The rows of `object_claims`, which say to whom an object belongs that no row owns yet. */
function createClaims(pool: Pool, presence: Presence) {
  return {
    /** Claims it for this process, until the claim is settled or the process dies. */
    async take({ bucket, path }: ObjectName): Promise<void> {
      await pool.query('insert into object_claims (bucket, path, process_id) values ($1, $2, $3)', [
        bucket,
        path,
        presence.processId,
      ])
    },
    /** Ends the claim; false if the sweep got there first. */
    async settle(client: Queries, { bucket, path }: ObjectName): Promise<boolean> {
      const { rowCount } = await client.query(
        'delete from object_claims where bucket = $1 and path = $2 and not sweeping',
        [bucket, path],
      )
      return rowCount === 1
    },
    /** From now on the object cannot be kept; false if it already was. */
    async condemn({ bucket, path }: ObjectName): Promise<boolean> {
      const { rowCount } = await pool.query(
        'update object_claims set sweeping = true where bucket = $1 and path = $2',
        [bucket, path],
      )
      return rowCount === 1
    },
    async drop({ bucket, path }: ObjectName): Promise<void> {
      await pool.query('delete from object_claims where bucket = $1 and path = $2', [bucket, path])
    },
    /** Gives up ownership; the sweep may remove the object after this time. */
    async leave({ bucket, path }: ObjectName, forMs: number): Promise<void> {
      await pool.query(
        `update object_claims set process_id = null,
                expires_at = now() + make_interval(secs => $3::float8 / 1000)
         where bucket = $1 and path = $2`,
        [bucket, path, forMs],
      )
    },
    /** Gives up ownership; the sweep may remove the object at once. No clock decides it, which may be set back. */
    async abandon({ bucket, path }: ObjectName, client: Queries = pool): Promise<void> {
      await client.query(
        `update object_claims set process_id = null, expires_at = '-infinity'
         where bucket = $1 and path = $2`,
        [bucket, path],
      )
    },
  }
}

/** The place of an object in the store. */
export interface ObjectName {
  readonly bucket: string
  readonly path: string
}

/** In SQL: the stored file that a queued job starts from, wherever its kind of work keeps that. */
export const FILE_OF_JOB = `coalesce(jobs.input -> 'origin', jobs.input #> '{reload,origin}',
  jobs.input #> '{mended,origin}') -> 'file'`

/**
 * SQL for the transaction that deletes the rows which owned these objects, a query for `bucket` and `path`. Afterwards
 * they are known orphans, which `discard` or the next sweep removes.
 */
export const disowning = (objects: string): string =>
  `insert into object_claims (bucket, path, expires_at)
   select bucket, path, '-infinity' from (${objects}) as orphans on conflict do nothing`

export async function disownObject(client: Queries, { bucket, path }: ObjectName): Promise<void> {
  await client.query(disowning('select $1::text as bucket, $2::text as path'), [bucket, path])
}

interface SweepParts {
  readonly pool: Pool
  readonly store: ObjectStore
  readonly presence: Presence
}

/** What could not be removed is tried again after this time, or at once if this process dies first. */
const TRIED_AGAIN_AFTER_SECONDS = 15

// Takes objects of dead processes, and those that have been waiting longer than anybody may still
// need them. A job may have waited for longer: for days without a worker, or in a restored backup.
const TAKE_ORPHANED = `
  update object_claims set sweeping = true, process_id = $1,
         expires_at = now() + make_interval(secs => ${TRIED_AGAIN_AFTER_SECONDS})
  where (bucket, path) in (
    select bucket, path from object_claims
    where (expires_at <= now() or process_id is not null and ${isDead('object_claims.process_id')})
      and not exists (
        select from jobs where jobs.status in ('QUEUED', 'RUNNING')
        and ${FILE_OF_JOB} ->> 'bucket' = object_claims.bucket
        and ${FILE_OF_JOB} ->> 'path' = object_claims.path)
    limit ${MAX_DELETE_KEYS} for update skip locked)
  returning bucket, path`

/** Removes the objects and open multipart uploads that nobody will use any more. */
export async function sweepOrphans({ pool, store, presence }: SweepParts): Promise<void> {
  const { rows } = await pool.query<ObjectName>(TAKE_ORPHANED, [presence.processId])
  const byBucket = Map.groupBy(rows, (row) => row.bucket)
  await eachAlone(byBucket, ([bucket, objects]) => sweepBucket(pool, store, bucket, objects))
}

async function sweepBucket(
  pool: Pool,
  store: ObjectStore,
  bucket: string,
  objects: readonly ObjectName[],
): Promise<void> {
  const paths = new Set(objects.map(({ path }) => path))
  await abortOpenUploads(store, bucket, paths)
  const outcomes = await store.deleteMany(bucket, [...paths])
  const gone = outcomes.filter(({ outcome }) => outcome !== 'failed').map(({ key }) => key)
  await pool.query('delete from object_claims where bucket = $1 and path = any($2)', [bucket, gone])
}

async function abortOpenUploads(
  store: ObjectStore,
  bucket: string,
  paths: ReadonlySet<string>,
): Promise<void> {
  for await (const page of store.listMultiparts(bucket)) {
    for (const upload of page) {
      if (paths.has(upload.key)) await store.abortMultipart(upload)
    }
  }
}
