import type { Pool } from 'pg'

import { ServiceUnavailableException } from '../../errors/index.ts'
import type { Logger } from '../../observability/logger.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import { StorageError } from '../../storage/storage-error.ts'
import { createClaims } from './claims.ts'
import { freshPath } from './fresh-path.ts'
import { sweepClaims } from './sweep-claims.ts'
import type { ObjectName, Uploads } from './uploads.ts'

export interface UploadsParts {
  readonly pool: Pool
  readonly store: ObjectStore
  readonly logger: Logger
  /** Between two signs of life; three missed ones free a claim. */
  readonly heartbeatMs: number
}

export function createUploads(parts: UploadsParts): Uploads & Disposable {
  const { pool, store, logger, heartbeatMs } = parts
  const claims = createClaims(pool, heartbeatMs)

  async function remove({ bucket, path }: ObjectName): Promise<void> {
    const [outcome] = await store.deleteMany(bucket, [path])
    if (outcome?.outcome === 'failed') throw new StorageError('unavailable', outcome.reason)
  }

  return {
    async begin(source, { prefix, contentType, ...options }) {
      const object = { bucket: store.defaultBucket, path: freshPath(prefix) }
      // Until the store takes over, an error of the source has no listener but this.
      source.once('error', ignore)
      try {
        await claims.take(object)
        if (source.errored) throw source.errored
      } catch (error) {
        source.destroy()
        claims.release(object)
        // Nothing was stored yet; where this fails, too, the sweep finds that out.
        await claims.drop(object).catch(ignore)
        throw error
      }
      const stored = store.put(object.bucket, object.path, source, {
        ...(contentType !== undefined && { contentType }),
        ...options,
      })
      // Whoever discards the upload does not ask how it ended.
      stored.catch(ignore)
      return { ...object, stored }
    },

    async keep(client, object) {
      claims.release(object)
      if (await claims.settle(client, object)) return
      throw new ServiceUnavailableException('The upload took too long to be recorded')
    },

    park: claims.park,

    // A claim that is gone was kept after all, though its commit may have looked like a failure.
    async discard(object) {
      if ('stored' in object) await object.stored.catch(ignore)
      claims.release(object)
      try {
        if (!(await claims.condemn(object))) return
        await remove(object)
        await claims.drop(object)
      } catch (error) {
        logger.warn({ err: error }, 'an upload could not be removed: the sweep will do it')
      }
    },

    remove,
    sweep: () => sweepClaims({ pool, store, leaseMs: claims.leaseMs }),
    [Symbol.dispose]: () => claims[Symbol.dispose](),
  }
}

const ignore = () => undefined
