import type { SecretBox, Sealed } from '../../security/secret-box.ts'

/** The columns of a connection that hold its key. */
export interface StoredKey {
  readonly api_key_ciphertext: Buffer
  readonly api_key_iv: Buffer
  readonly api_key_key_id: string
}

/** The key is encrypted for the connection that holds it: in another row it cannot be decrypted. */
export function sealKey(box: SecretBox, apiKey: string, connectionUuid: string): StoredKey {
  const { ciphertext, iv, keyId } = box.seal(apiKey, connectionUuid)
  return { api_key_ciphertext: ciphertext, api_key_iv: iv, api_key_key_id: keyId }
}

/** Throws the errors of the box, which the caller has to interpret. */
export function openKey(box: SecretBox, row: StoredKey, connectionUuid: string): string {
  const sealed: Sealed = {
    ciphertext: row.api_key_ciphertext,
    iv: row.api_key_iv,
    keyId: row.api_key_key_id,
  }
  return box.open(sealed, connectionUuid)
}
