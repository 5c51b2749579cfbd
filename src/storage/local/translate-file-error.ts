import { StorageError, type StorageErrorKind } from '../storage-error.ts'

const KINDS: Readonly<Record<string, StorageErrorKind>> = {
  ENOENT: 'not-found',
  ENOTDIR: 'not-found',
  ENAMETOOLONG: 'invalid',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
}

const MESSAGES: Readonly<Record<StorageErrorKind, string>> = {
  'not-found': 'There is no such object',
  range: 'The range begins past the end of the object',
  invalid: 'The key is too long for the file system',
  full: 'The object storage has no space left',
  unavailable: 'The object storage folder cannot be used',
}

/** File system errors contain paths, so only their kind is passed on; other errors pass unchanged. */
export function translateFileError(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code
  const isFileError = error instanceof Error && 'syscall' in error && code !== undefined
  if (!isFileError) return error
  const kind = (Object.hasOwn(KINDS, code) && KINDS[code]) || 'unavailable'
  return new StorageError(kind, MESSAGES[kind], { cause: error })
}

export async function withFileErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw translateFileError(error)
  }
}
