/**
 * Why a store could not do what it was asked. Callers translate the kind once, at their boundary;
 * messages name no path, no address and no credential.
 */
const STORAGE_ERROR_KINDS = [
  /** No such object, or no such upload. */
  'not-found',
  /** The range asked for begins past the object's end. */
  'range',
  /** The request itself is wrong: a name, a size, a part. */
  'invalid',
  /** There is no space left. */
  'full',
  /** The store answers with an error, too late, or not at all. */
  'unavailable',
] as const

export type StorageErrorKind = (typeof STORAGE_ERROR_KINDS)[number]

export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly kind: StorageErrorKind

  constructor(kind: StorageErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Of an object that is still there because of it. */
export const whyNotDeleted = ({ kind }: StorageError): 'refused' | 'unavailable' =>
  kind === 'invalid' ? 'refused' : 'unavailable'

/** Of writing an object: what is missing then is nothing that was asked for. */
export function lostUpload(error: unknown): unknown {
  return error instanceof StorageError && error.kind === 'not-found'
    ? new StorageError('unavailable', 'The object storage lost the upload', { cause: error })
    : error
}
