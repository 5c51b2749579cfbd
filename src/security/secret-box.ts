import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  type KeyObject,
} from 'node:crypto'

import type { EncryptionKey } from './encryption-keys.ts'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const CHECKED_TEXT = 'check value of a master key'

/** The stored form. `ciphertext` ends with the 16 bytes of the authentication tag. */
export interface Sealed {
  readonly ciphertext: Buffer
  readonly iv: Buffer
  readonly keyId: string
}

/** Returns the current box, since master keys may be rotated while the service runs. */
export type SecretBoxProvider = () => Promise<SecretBox>

const SECRET_PROBLEMS = ['unknown-key', 'altered'] as const
export type SecretProblem = (typeof SECRET_PROBLEMS)[number]

/** An encrypted secret cannot be decrypted. Contains neither plaintext nor key. */
export class SecretBoxError extends Error {
  override readonly name = 'SecretBoxError'
  readonly problem: SecretProblem

  constructor(problem: SecretProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}

export function createSecretBox(keys: readonly [EncryptionKey, ...EncryptionKey[]]) {
  const [current] = keys
  const byId = new Map<string, KeyObject>(keys.map(({ id, key }) => [id, key]))

  return {
    currentKeyId: current.id,

    seal(plaintext: string, owner: string): Sealed {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, current.key, iv, { authTagLength: TAG_BYTES })
      cipher.setAAD(additionalData(owner))
      const encrypted = [cipher.update(plaintext, 'utf8'), cipher.final()]
      return {
        ciphertext: Buffer.concat([...encrypted, cipher.getAuthTag()]),
        iv,
        keyId: current.id,
      }
    },

    open(sealed: Sealed, owner: string): string {
      const key = byId.get(sealed.keyId)
      if (!key) {
        throw new SecretBoxError(
          'unknown-key',
          `The secret was encrypted with the key '${sealed.keyId}', which is not configured`,
        )
      }
      return decrypt(sealed, key, owner)
    },

    /**
     * What each key makes of a fixed text. It says nothing of the key, and shows another key that has
     * the same id.
     */
    checkValues: (): { readonly keyId: string; readonly value: Buffer }[] =>
      keys.map(({ id, key }) => ({
        keyId: id,
        value: createHmac('sha256', key).update(CHECKED_TEXT).digest(),
      })),

    /** Whether secrets encrypted with this key can be decrypted. */
    knows: (keyId: string): boolean => byId.has(keyId),
  }
}

/**
 * Encrypts small secrets for the database. `owner` is the uuid of the row that holds the secret. It
 * is authenticated as well, so a ciphertext that was copied to another row cannot be decrypted.
 */
export type SecretBox = ReturnType<typeof createSecretBox>

function decrypt({ ciphertext, iv }: Sealed, key: KeyObject, owner: string): string {
  // A shorter tag would be easier to forge, so the lengths are checked first.
  if (iv.length !== IV_BYTES || ciphertext.length < TAG_BYTES) throw altered()
  const body = ciphertext.subarray(0, ciphertext.length - TAG_BYTES)
  const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES })
  decipher.setAAD(additionalData(owner))
  decipher.setAuthTag(ciphertext.subarray(body.length))
  try {
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw altered(cause)
  }
}

/** Uuids are compared without case. */
function additionalData(owner: string): Buffer {
  return Buffer.from(owner.toLowerCase(), 'utf8')
}

function altered(cause?: unknown): SecretBoxError {
  return new SecretBoxError(
    'altered',
    'The secret does not belong to this record, or its bytes were altered',
    { cause },
  )
}
