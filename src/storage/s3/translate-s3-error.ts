import { StorageError, type StorageErrorKind } from '../storage-error.ts'

const KINDS: Readonly<Record<string, StorageErrorKind>> = {
  NoSuchKey: 'not-found',
  NotFound: 'not-found',
  NoSuchUpload: 'not-found',
  InvalidRange: 'range',
  InvalidPart: 'invalid',
  InvalidPartOrder: 'invalid',
  EntityTooSmall: 'invalid',
  EntityTooLarge: 'invalid',
  KeyTooLongError: 'invalid',
  InsufficientStorage: 'full',
  QuotaExceeded: 'full',
  XMinioStorageFull: 'full',
}

const MESSAGES: Readonly<Record<StorageErrorKind, string>> = {
  'not-found': 'There is no such object',
  range: 'The range begins past the end of the object',
  invalid: 'The object storage does not accept this',
  full: 'The object storage has no space left',
  unavailable: 'The object storage cannot be reached',
}

/** What the SDK throws, as what the port promises. The server's own words stay in the cause. */
export function translateS3Error(error: unknown): StorageError {
  if (error instanceof StorageError) return error
  const code = error instanceof Error ? error.name : ''
  const status = httpStatusOf(error)
  const kind = (Object.hasOwn(KINDS, code) && KINDS[code]) || (status === 507 && 'full')
  if (kind) return new StorageError(kind, withCode(MESSAGES[kind], code), { cause: error })
  return new StorageError(
    'unavailable',
    status === undefined
      ? MESSAGES.unavailable
      : withCode(`The object storage answered ${status}`, code),
    { cause: error },
  )
}

/** Codes are single words of S3's own; anything else stays out of messages. */
export const isOwnCode = (code: string | undefined): code is string =>
  code !== undefined && /^[A-Za-z]{1,60}$/.test(code)

const withCode = (message: string, code: string) =>
  isOwnCode(code) ? `${message} (${code})` : message

/** What the server answered with, below what we made of it. */
export function httpStatusOf(error: unknown): number | undefined {
  const answer = error instanceof StorageError ? error.cause : error
  const metadata = (answer as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata
  return metadata?.httpStatusCode
}
