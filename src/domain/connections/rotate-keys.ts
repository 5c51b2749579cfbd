import type { Knex } from 'knex'

import {
  type SecretBox,
  SecretBoxError,
  type SecretBoxProvider,
} from '../../security/secret-box.ts'
import { changeMasterKey } from './master-key-lock.ts'
import { openKey, sealKey, type StoredKey } from './stored-key.ts'

interface KeyRotation {
  /** The current master key. */
  readonly keyId: string
  readonly rotated: number
  /** Those already encrypted with the current master key. */
  readonly current: number
}

/** A stored key prevents the rotation; the message says which one and what to do about it. */
export class KeyRotationError extends Error {
  override readonly name = 'KeyRotationError'
}

interface KeptKey extends StoredKey {
  readonly id: number
  readonly uuid: string
}

const BATCH = 200

/**
 * Encrypts every stored key with the current master key, while the service runs. Rows are locked
 * batch by batch, so replacing a key at the same time only causes a short wait. If there is no
 * newer key yet, `makeKey` is called once nothing prevents the rotation.
 */
export async function rotateConnectionKeys(
  knex: Knex,
  secretBox: SecretBoxProvider,
  makeKey: (() => Promise<void>) | null,
): Promise<KeyRotation> {
  await refuseUnknownKeys(knex, await secretBox())
  if (makeKey !== null) await changeMasterKey(knex, makeKey)
  const box = await secretBox()
  let rotated = 0
  for (let after = 0; ;) {
    const batch = await rotateBatch(knex, box, after)
    rotated += batch.rotated
    if (batch.lastId === null) break
    after = batch.lastId
  }
  const [row] = await knex('connections')
    .where({ api_key_key_id: box.currentKeyId })
    .count<{ count: number }[]>('* as count')
  return { keyId: box.currentKeyId, rotated, current: row!.count - rotated }
}

async function refuseUnknownKeys(knex: Knex, box: SecretBox): Promise<void> {
  const { rows: used } = await knex.raw<{ rows: { keyId: string; connections: number }[] }>(`
    select api_key_key_id as "keyId", count(*) as connections
    from connections group by 1 order by 1
  `)
  const missing = used
    .filter(({ keyId }) => !box.knows(keyId))
    .map(({ keyId, connections }) => `'${keyId}' (${connections} connections)`)
  if (missing.length === 0) return
  throw new KeyRotationError(
    `Some stored API keys need master keys that are not configured: ${missing.join(', ')}. Nothing ` +
      'was changed: put them back, behind the current one, and rotate again.',
  )
}

function rotateBatch(
  knex: Knex,
  box: SecretBox,
  after: number,
): Promise<{ rotated: number; lastId: number | null }> {
  return knex.transaction(async (trx) => {
    const rows = await trx('connections')
      .where('id', '>', after)
      .whereNot({ api_key_key_id: box.currentKeyId })
      .orderBy('id')
      .limit(BATCH)
      .forUpdate()
      .select<KeptKey[]>('id', 'uuid', 'api_key_ciphertext', 'api_key_iv', 'api_key_key_id')
    for (const row of rows) {
      const resealed = sealKey(box, plainKey(box, row), row.uuid)
      // The key itself stays the same, so its version and updated_at do not change.
      await trx('connections').where({ id: row.id }).update(resealed)
    }
    return { rotated: rows.length, lastId: rows.at(-1)?.id ?? null }
  })
}

function plainKey(box: SecretBox, row: KeptKey): string {
  try {
    return openKey(box, row, row.uuid)
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error
    throw new KeyRotationError(
      `The stored key of connection ${row.uuid} cannot be opened: ${error.message}. Give it a new ` +
        'key or delete the connection, then rotate again.',
      { cause: error },
    )
  }
}
