import type { Knex } from 'knex'

/**
 * The keys that sign receipts. Public ones stay for good, so that earlier receipts can be verified; of one alone the
 * private key is there, encrypted with a master key.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table signing_keys (
      uuid uuid primary key default gen_random_uuid(),
      /* The x of its JWK. */
      public_key text not null,
      /* Null: it signs no more. */
      private_ciphertext bytea,
      private_iv bytea,
      private_key_id text,
      created_at timestamptz(3) not null default now(),
      check (num_nulls(private_ciphertext, private_iv, private_key_id) in (0, 3))
    )
  `)
  await knex.raw(
    'create unique index signing_keys_current on signing_keys ((true)) where private_key_id is not null',
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table signing_keys')
}
