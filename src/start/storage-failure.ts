import { StartError } from './start-error.ts'
import { httpStatusOf } from '../storage/s3/translate-s3-error.ts'
import { StorageError } from '../storage/storage-error.ts'

/** What a status of the server says about the settings. */
const BY_STATUS: Readonly<Record<number, string>> = {
  301: 'The bucket of S3_BUCKET lies in another region than S3_REGION',
  400: 'The object storage does not understand us: check S3_ENDPOINT, S3_REGION and the S3 keys',
  401: 'The object storage refuses S3_ACCESS_KEY_ID or S3_SECRET_ACCESS_KEY',
  403:
    'The object storage refuses S3_ACCESS_KEY_ID or S3_SECRET_ACCESS_KEY, or does not let them ' +
    'use the bucket of S3_BUCKET',
  404: 'The object storage has no bucket of the name in S3_BUCKET',
}

/** Turns the failure of the first request into a sentence that names the setting to check. */
export function storageFailure(error: unknown): StartError {
  const sentence = BY_STATUS[httpStatusOf(error) ?? 0]
  if (sentence !== undefined) return new StartError(sentence, { cause: error })
  const message = error instanceof StorageError ? error.message : 'The object storage failed'
  return new StartError(`${message}: check S3_ENDPOINT`, { cause: error })
}

/** Wrong settings do not become right by waiting. */
export const isRefusal = (error: unknown): boolean =>
  Object.hasOwn(BY_STATUS, httpStatusOf(error) ?? 0)
