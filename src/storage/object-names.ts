import {
  type ByteRange,
  type CompletedPart,
  MAX_DELETE_KEYS,
  MAX_PART_BYTES,
  MAX_PARTS,
} from './object-store.ts'
import { StorageError } from './storage-error.ts'

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const MAX_KEY_BYTES = 1024
// XML 1.0, in which S3 transmits keys, cannot represent these characters.
const NOT_IN_XML = /[\p{Cc}\ufffe\uffff]/u

export function checkBucket(bucket: string): void {
  if (!BUCKET.test(bucket) || bucket.includes('..')) {
    throw new StorageError('invalid', 'A bucket is named with 3 to 63 of a-z, 0-9, "." and "-"')
  }
}

/** Accepts what both drivers can store, list, delete and put into an address. */
function checkKey(key: string): void {
  const bytes = Buffer.byteLength(key)
  if (bytes === 0 || bytes > MAX_KEY_BYTES) {
    throw new StorageError('invalid', `A key is 1 to ${MAX_KEY_BYTES} bytes long`)
  }
  if (!key.isWellFormed() || NOT_IN_XML.test(key)) {
    throw new StorageError('invalid', 'A key is Unicode text without control characters')
  }
  // Clients resolve such segments before they send an address, so the link would lead elsewhere.
  if (key.split('/').some((segment) => segment === '.' || segment === '..')) {
    throw new StorageError('invalid', 'A key has no "." or ".." between its slashes')
  }
}

export function checkObject(bucket: string, key: string): void {
  checkBucket(bucket)
  checkKey(key)
}

export function checkDeletion(bucket: string, keys: readonly string[]): void {
  checkBucket(bucket)
  keys.forEach(checkKey)
  if (keys.length > MAX_DELETE_KEYS) {
    throw new StorageError('invalid', `At most ${MAX_DELETE_KEYS} keys are deleted at once`)
  }
}

export function checkPart(partNumber: number, sizeBytes: number): void {
  if (!Number.isInteger(partNumber) || partNumber < 1 || partNumber > MAX_PARTS) {
    throw new StorageError('invalid', `Parts are numbered from 1 to ${MAX_PARTS}`)
  }
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0 || sizeBytes > MAX_PART_BYTES) {
    throw new StorageError('invalid', `A part has at most ${MAX_PART_BYTES} bytes`)
  }
}

export function checkCompletion(parts: readonly CompletedPart[]): void {
  if (parts.length === 0) {
    throw new StorageError('invalid', 'An upload is completed with at least one part')
  }
  if (new Set(parts.map(({ partNumber }) => partNumber)).size < parts.length) {
    throw new StorageError('invalid', 'A part is named twice')
  }
}

export function checkRange(range: ByteRange | undefined): void {
  if (!range) return
  const { start, end = Infinity } = range
  if (!Number.isSafeInteger(start) || start < 0 || end < start) {
    throw new StorageError(
      'invalid',
      'A range begins at 0 or later and ends where it begins or later',
    )
  }
}
