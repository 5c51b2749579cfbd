import { unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

import { checkDeletion } from '../object-names.ts'
import type { DeleteOutcome } from '../object-store.ts'
import { StorageError, whyNotDeleted } from '../storage-error.ts'
import { flushFolder, type StoreLayout, translateFileError } from './files.ts'

const CONCURRENCY = 16

/** Empty folders stay: removing one could race with an object that is being put into it. */
export async function deleteMany(
  layout: StoreLayout,
  bucket: string,
  keys: readonly string[],
  signal: AbortSignal | undefined,
): Promise<DeleteOutcome[]> {
  checkDeletion(bucket, keys)
  const outcomes: DeleteOutcome[] = []
  const changedFolders = new Set<string>()
  const pending = keys.entries()

  const work = async () => {
    for (const [index, key] of pending) {
      signal?.throwIfAborted()
      const path = layout.objectPath(bucket, key)
      const outcome = await deleteOne(path, key)
      if (outcome.outcome === 'deleted') changedFolders.add(dirname(path))
      outcomes[index] = outcome
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  // The caller forgets the objects next, so their deletion must survive a power cut.
  for (const folder of changedFolders) await flushFolder(folder)
  return outcomes
}

async function deleteOne(path: string, key: string): Promise<DeleteOutcome> {
  try {
    await unlink(path)
    return { key, outcome: 'deleted' }
  } catch (error) {
    const translated = translateFileError(error)
    if (!(translated instanceof StorageError)) throw error
    if (translated.kind === 'not-found') return { key, outcome: 'absent-counts-as-deleted' }
    return { key, outcome: 'failed', why: whyNotDeleted(translated) }
  }
}
