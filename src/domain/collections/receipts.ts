import { randomUUID } from 'node:crypto'

import type { ClientBase, Pool } from 'pg'

import type { Queries } from '../../db/in-turn.ts'
import { LOCKS, lockUntilCommit } from '../../db/locks.ts'
import { withTransaction } from '../../db/transaction.ts'
import {
  makeSigningKey,
  type Receipt,
  signReceipt,
  type VerifyingKey,
  verifyingKey,
} from '../../security/receipt.ts'
import {
  type SecretBox,
  SecretBoxError,
  type SecretBoxProvider,
} from '../../security/secret-box.ts'

interface ReceiptsParts {
  readonly pool: Pool
  readonly secretBox: SecretBoxProvider
}

interface SigningKey {
  readonly uuid: string
  readonly pem: string
}

interface SigningKeyRow {
  readonly uuid: string
  readonly private_ciphertext: Buffer
  readonly private_iv: Buffer
  readonly private_key_id: string
}

/**
 * Signs receipts. There is one key for all processes, made by whoever needs it first. It is read anew for each
 * receipt, so all of them see at once that it was renewed.
 */
export function createReceipts({ pool, secretBox }: ReceiptsParts) {
  async function current(client: ClientBase): Promise<SigningKey> {
    await client.query(lockUntilCommit(LOCKS.masterKey, 'shared'))
    const box = await secretBox()
    const row = await currentRow(client)
    return (row && openIfPossible(box, row)) ?? renew(client, box, row)
  }

  return {
    /** In the transaction that takes the file. */
    async sign(client: ClientBase, receipt: Receipt): Promise<string> {
      const { uuid, pem } = await current(client)
      return signReceipt(receipt, uuid, pem)
    },

    /** What verifies every receipt that was ever signed. */
    async keys(): Promise<VerifyingKey[]> {
      const known = await readVerifyingKeys(pool)
      if (known.length > 0) return known
      await withTransaction(pool, current)
      return readVerifyingKeys(pool)
    },
  }
}

export type Receipts = ReturnType<typeof createReceipts>

/** The latest first. */
export async function readVerifyingKeys(db: Queries): Promise<VerifyingKey[]> {
  const { rows } = await db.query<{ uuid: string; public_key: string }>(
    'select uuid, public_key from signing_keys order by created_at desc, uuid',
  )
  return rows.map(({ uuid, public_key: x }) => verifyingKey(uuid, x))
}

/**
 * From now on another key signs, and the private half of the one before is gone. Returns false where none has been
 * needed yet.
 */
export async function renewSigningKey(pool: Pool, secretBox: SecretBoxProvider): Promise<boolean> {
  return withTransaction(pool, async (client) => {
    await client.query(lockUntilCommit(LOCKS.masterKey, 'shared'))
    const row = await currentRow(client)
    if (row !== null) await renew(client, await secretBox(), row)
    return row !== null
  })
}

/** The master key that it is encrypted with, and whether that decrypts it; null: none has been needed yet. */
export async function checkSigningKey(
  db: Queries,
  box: SecretBox,
): Promise<{ readonly keyId: string; readonly isReadable: boolean } | null> {
  const row = await currentRow(db)
  return row && { keyId: row.private_key_id, isReadable: openIfPossible(box, row) !== null }
}

async function currentRow(db: Queries): Promise<SigningKeyRow | null> {
  const { rows } = await db.query<SigningKeyRow>(
    `select uuid, private_ciphertext, private_iv, private_key_id from signing_keys
     where private_key_id is not null`,
  )
  return rows[0] ?? null
}

/** Null if it cannot be decrypted: earlier receipts do not need it, so it is renewed then. */
function openIfPossible(box: SecretBox, row: SigningKeyRow): SigningKey | null {
  try {
    return open(box, row)
  } catch (error) {
    if (error instanceof SecretBoxError) return null
    throw error
  }
}

/** It is encrypted for its row: in another one it cannot be decrypted. */
function open(box: SecretBox, row: SigningKeyRow): SigningKey {
  const { uuid, private_ciphertext: ciphertext, private_iv: iv, private_key_id: keyId } = row
  return { uuid, pem: box.open({ ciphertext, iv, keyId }, uuid) }
}

/** Of several that renew the same key at once, one does; the others wait for it and take its key. */
async function renew(
  client: ClientBase,
  box: SecretBox,
  instead: SigningKeyRow | null,
): Promise<SigningKey> {
  await client.query(
    `update signing_keys set private_ciphertext = null, private_iv = null, private_key_id = null
     where uuid = $1 and private_key_id is not null`,
    [instead?.uuid],
  )
  const uuid = randomUUID()
  const { x, pem } = makeSigningKey()
  const { ciphertext, iv, keyId } = box.seal(pem, uuid)
  const { rowCount } = await client.query(
    `insert into signing_keys (uuid, public_key, private_ciphertext, private_iv, private_key_id)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [uuid, x, ciphertext, iv, keyId],
  )
  return rowCount === 1 ? { uuid, pem } : open(box, (await currentRow(client))!)
}
