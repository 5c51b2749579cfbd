import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto'

/**
 * A master key. Its id is stored with everything that it encrypted, so that keys can be rotated.
 */
export interface EncryptionKey {
  readonly id: string
  readonly key: KeyObject
}

/** The text is not a list of keys. The message refers to entries by number and never shows one. */
export class EncryptionKeysError extends Error {
  override readonly name = 'EncryptionKeysError'
}

const KEY_BYTES = 32
const ID = /^[A-Za-z0-9_-]{1,32}$/
/** In the standard or the URL alphabet, with optional padding; exactly 32 bytes. */
const BASE64_OF_32_BYTES = /^[A-Za-z0-9+/_-]{43}=?$/

/**
 * Parses `id:base64[,id2:base64 ...]`: the first key is the current one, the others can still
 * decrypt.
 */
export function parseEncryptionKeys(text: string): [EncryptionKey, ...EncryptionKey[]] {
  const [first, ...others] = text.split(',').map((entry, index) => parseEntry(entry.trim(), index))
  const keys: [EncryptionKey, ...EncryptionKey[]] = [first!, ...others]
  const seen = new Set<string>()
  for (const [index, { id }] of keys.entries()) {
    if (seen.has(id)) throw wrong(index, 'has the id of an earlier one; ids must differ')
    seen.add(id)
  }
  return keys
}

/** Generates a key in the textual form, to be put before the existing ones. */
export function generateEncryptionKey(id: string): string {
  if (!ID.test(id)) {
    throw new EncryptionKeysError('A key id is 1 to 32 letters, digits, hyphens or underscores')
  }
  return `${id}:${randomBytes(KEY_BYTES).toString('base64')}`
}

function parseEntry(entry: string, index: number): EncryptionKey {
  const colon = entry.indexOf(':')
  if (colon === -1) throw wrong(index, 'has no id: write id:base64')
  const id = entry.slice(0, colon)
  if (!ID.test(id)) {
    throw wrong(index, 'has an id that is not 1 to 32 letters, digits, hyphens or underscores')
  }
  const encoded = entry.slice(colon + 1)
  const bytes = Buffer.from(encoded, 'base64')
  if (!BASE64_OF_32_BYTES.test(encoded) || bytes.length !== KEY_BYTES) {
    throw wrong(index, `has a key that is not the base64 of ${KEY_BYTES} bytes`)
  }
  return { id, key: createSecretKey(bytes) }
}

function wrong(index: number, what: string): EncryptionKeysError {
  return new EncryptionKeysError(`Encryption key number ${index + 1} ${what}`)
}
