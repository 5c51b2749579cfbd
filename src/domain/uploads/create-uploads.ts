import type { Pool } from 'pg'

import { ServiceUnavailableException } from '../../errors/index.ts'
import type { Logger } from '../../observability/logger.ts'
import type { Presence } from '../../processes/presence.ts'
import type { Releases } from '../../processes/releases.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import { StorageError } from '../../storage/storage-error.ts'
import { createClaims } from './claims.ts'
import { freshPath } from './fresh-path.ts'
import { sweepClaims } from './sweep-claims.ts'
import type { ObjectName, Uploads } from './uploads.ts'
import { documentMessages } from '../documents/document-messages.ts'

interface UploadsParts {
  readonly pool: Pool
  readonly store: ObjectStore
  readonly logger: Logger
  readonly presence: Presence
  readonly releases: Releases
}

/** Somebody may wait for it who is told then that the upload failed; the sweep does not hurry. */
const REMOVED_WITHIN_MS = 2000

export function createUploads(parts: UploadsParts): Uploads {
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

  const abandon: Uploads['abandon'] = (object) => releases.release(() => claims.abandon(object))

  const claim: Uploads['claim'] = async (prefix) => {
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

    async begin(source, { prefix, contentType, ...options }) {
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

    async keep(client, object) {
      if (!(await claims.settle(client, object))) {
        throw new ServiceUnavailableException(documentMessages.uploadTooSlow())
      }
      unkept.delete(nameOf(object))
    },

    async park(object, forMs) {
      await claims.leave(object, forMs)
      unkept.delete(nameOf(object))
    },

    // If the claim is gone, the object was kept after all, though its commit may have looked like
    // a failure.
    async discard(object) {
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

    remove: (object) => remove(object),
    sweep: () => sweepClaims({ pool, store, presence }),
  }
}

const ignore = () => undefined

const nameOf = ({ bucket, path }: ObjectName) => `${bucket}/${path}`
