import type { Queries } from '../../db/in-turn.ts'
import { EncryptionKeysError } from '../../security/encryption-keys.ts'
import { type SecretBox, SecretBoxError } from '../../security/secret-box.ts'
import { checkSigningKey } from '../collections/receipts.ts'
import { openKey, type StoredKey } from './stored-key.ts'

/** What is found of a master key, configured or needed. */
interface CheckedKey {
  readonly keyId: string
  /**
   * Wrong: another key than the one that this database has been used with under that id. New: it has
   * not been used with any.
   */
  readonly state: JudgedKey['state'] | 'missing'
  /** How many stored keys it has encrypted, and how many of those cannot be decrypted. */
  readonly sealed: number
  readonly unreadable: number
}

interface SealedRow extends StoredKey {
  readonly id: number
  readonly uuid: string
}

/** Of a key that is not on record yet, so many of the keys that it has encrypted are tried. */
const TRIED = 5
const BATCH = 500

interface JudgedKey {
  readonly keyId: string
  readonly value: Buffer
  readonly state: 'right' | 'new' | 'wrong'
  readonly isOnRecord: boolean
}

/** Compares the configured keys with those on record, or with what they should have encrypted. */
async function judgeKeys(db: Queries, box: SecretBox): Promise<JudgedKey[]> {
  const judged: JudgedKey[] = []
  for (const { keyId, value } of box.checkValues()) {
    const known = await checkValueOf(db, keyId)
    const state =
      known === null ? await tryKey(db, box, keyId) : known.equals(value) ? 'right' : 'wrong'
    judged.push({ keyId, value, state, isOnRecord: known !== null })
  }
  return judged
}

/**
 * A wrong key under a known id would otherwise be found by the first call that needs it. A key is
 * put on record when it is first used.
 */
export async function refuseWrongKeys(db: Queries, box: SecretBox): Promise<void> {
  let judged = await judgeKeys(db, box)
  const unrecorded = judged.filter(({ state, isOnRecord }) => state !== 'wrong' && !isOnRecord)
  for (const { keyId, value } of unrecorded) {
    await db.query(
      `insert into encryption_keys (key_id, check_value) values ($1, $2)
       on conflict (key_id) do nothing`,
      [keyId, value],
    )
  }
  // Another process may have been first, with another key.
  if (unrecorded.length > 0) judged = await judgeKeys(db, box)
  const wrong = judged.filter(({ state }) => state === 'wrong')
  if (wrong.length === 0) return
  const said = wrong.map(
    ({ keyId }) =>
      `ENCRYPTION_KEYS: the key '${keyId}' is not the one that this database has been used with under ` +
      'that id. Put that one back, or give yours an id of its own.',
  )
  throw new EncryptionKeysError(said.join('\n'))
}

/** Tries every stored API key, and the key that signs receipts. Nothing is put on record. */
export async function checkKeys(db: Queries, box: SecretBox): Promise<CheckedKey[]> {
  const judged = await judgeKeys(db, box)
  const states = new Map(judged.map(({ keyId, state }) => [keyId, state]))
  const found = new Map(judged.map(({ keyId }) => [keyId, { sealed: 0, unreadable: 0 }]))
  const count = (keyId: string, isOpened: boolean) => {
    const counts = found.get(keyId) ?? { sealed: 0, unreadable: 0 }
    found.set(keyId, counts)
    counts.sealed++
    if (!isOpened) counts.unreadable++
  }
  const signing = await checkSigningKey(db, box)
  if (signing !== null) count(signing.keyId, signing.isReadable)
  for (let after = 0; ;) {
    const { rows } = await db.query<SealedRow>(
      `select id, uuid, api_key_ciphertext, api_key_iv, api_key_key_id
       from connections where id > $1 order by id limit ${BATCH}`,
      [after],
    )
    for (const row of rows) count(row.api_key_key_id, isReadable(box, row))
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.id
  }
  return [...found].map(([keyId, counts]) => ({
    keyId,
    state: states.get(keyId) ?? 'missing',
    ...counts,
  }))
}

async function checkValueOf(db: Queries, keyId: string): Promise<Buffer | null> {
  const { rows } = await db.query<{ check_value: Buffer }>(
    'select check_value from encryption_keys where key_id = $1',
    [keyId],
  )
  return rows[0]?.check_value ?? null
}

/** One row may be damaged; all of them are not. */
async function tryKey(db: Queries, box: SecretBox, keyId: string): Promise<JudgedKey['state']> {
  const { rows } = await db.query<SealedRow>(
    `select id, uuid, api_key_ciphertext, api_key_iv, api_key_key_id
     from connections where api_key_key_id = $1 order by id desc limit ${TRIED}`,
    [keyId],
  )
  if (rows.length === 0) return 'new'
  return rows.some((row) => isReadable(box, row)) ? 'right' : 'wrong'
}

function isReadable(box: SecretBox, row: SealedRow): boolean {
  try {
    openKey(box, row, row.uuid)
    return true
  } catch (error) {
    if (error instanceof SecretBoxError) return false
    throw error
  }
}
