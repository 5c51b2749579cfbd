import { hash, randomBytes } from 'node:crypto'

import type { ClientBase, Pool } from 'pg'

import { LinkNotValidException } from '../../errors/index.ts'

const RANDOM_BYTES = 32

/** A fast hash is enough, since 256 random bits cannot be guessed. */
export const hashOfSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** The page reads the secret from behind the `#`, which no browser sends to anybody. */
export const addressOf = (baseUrl: string, secret: string): string =>
  `${baseUrl}/deliver/#${secret}`

/**
 * A secret for each of these senders, beside those that they have. Only here it is known: what is
 * stored is a hash.
 */
export async function makeSecrets(
  client: ClientBase,
  senderIds: readonly number[],
): Promise<string[]> {
  const secrets = senderIds.map(() => randomBytes(RANDOM_BYTES).toString('base64url'))
  await client.query(
    `insert into collection_links (sender_id, hash)
     select * from unnest($1::bigint[], $2::bytea[])`,
    [senderIds, secrets.map(hashOfSecret)],
  )
  return secrets
}

/** One that reached nobody. */
export const endLink = (pool: Pool, secret: string) =>
  pool.query('delete from collection_links where hash = $1', [hashOfSecret(secret)])

/** Whoever has one of them is let in no more. */
export async function endLinks(client: ClientBase, senderId: number): Promise<void> {
  await client.query('delete from collection_links where sender_id = $1', [senderId])
}

/**
 * Nobody deletes the sender until the transaction ends; false: they are gone already. Comes before anything that is
 * theirs is locked, and their collection before them, as in a deletion, so that neither waits for the other.
 */
export async function holdSender(client: ClientBase, senderId: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `with held as (
       select c.id from collections c join collection_senders se on se.collection_id = c.id
       where se.id = $1 for key share of c)
     select from collection_senders
     where id = $1 and collection_id in (select id from held) for key share`,
    [senderId],
  )
  return rowCount === 1
}

/** A link that ended while its file came, or was read, has ended for the file, too. */
export async function requireAlive(
  client: ClientBase,
  { hash: hashed, senderId }: { readonly hash: Buffer; readonly senderId: number },
): Promise<void> {
  await holdSender(client, senderId)
  const { rowCount } = await client.query(
    'select from collection_links where hash = $1 for key share',
    [hashed],
  )
  if (rowCount === 0) throw new LinkNotValidException()
}
