import { DeleteObjectsCommand, type DeleteObjectsCommandOutput } from '@aws-sdk/client-s3'

import { checkDeletion } from '../object-names.ts'
import type { DeleteOutcome } from '../object-store.ts'
import { StorageError, whyNotDeleted } from '../storage-error.ts'
import type { S3Access } from './s3-access.ts'
import { isOwnCode } from './translate-s3-error.ts'

/**
 * One DeleteObjects. S3 answers 200 with the failures inside, so a key is deleted only when the
 * answer says so; a request that fails as a whole has failed for every key.
 */
export async function deleteMany(
  access: S3Access,
  bucket: string,
  keys: readonly string[],
  signal: AbortSignal | undefined,
): Promise<DeleteOutcome[]> {
  checkDeletion(bucket, keys)
  if (keys.length === 0) return []
  const command = new DeleteObjectsCommand({
    Bucket: bucket,
    Delete: { Objects: [...new Set(keys)].map((Key) => ({ Key })), Quiet: false },
  })
  try {
    const answer = await access.call(
      (abortSignal) => access.client.send(command, { abortSignal }),
      signal,
    )
    return readOutcomes(keys, answer)
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    const why = whyNotDeleted(error)
    return keys.map((key) => ({ key, outcome: 'failed', why }))
  }
}

function readOutcomes(
  keys: readonly string[],
  answer: DeleteObjectsCommandOutput,
): DeleteOutcome[] {
  const deleted = new Set(answer.Deleted?.map(({ Key }) => Key))
  const errors = new Map(answer.Errors?.map((error) => [error.Key, error]))
  return keys.map((key) => {
    const error = errors.get(key)
    if (error?.Code === 'NoSuchKey') return { key, outcome: 'absent-counts-as-deleted' }
    if (error) return { key, outcome: 'failed', why: 'refused', ...codeOf(error) }
    if (deleted.has(key)) return { key, outcome: 'deleted' }
    return { key, outcome: 'failed', why: 'untold' }
  })
}

const codeOf = ({ Code: code }: { readonly Code?: string | undefined }) =>
  isOwnCode(code) ? { code } : {}
