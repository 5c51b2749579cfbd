import type { Knex } from 'knex'

/** What is signed and what is written to senders. */
export async function up(knex: Knex): Promise<void> {
  // Public keys stay for good, so that earlier receipts can be verified. Of one alone the private
  // half is there, encrypted with a master key.
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
  // Only what a mail is about: it is written when it is sent, so no secret lies here.
  await knex.raw(`
    create table collection_mails (
      id bigint generated always as identity primary key,
      sender_id bigint not null references collection_senders (id) on delete cascade,
      kind text not null check (kind in ('invitation', 'reminder', 'late', 'received', 'returned')),
      /* What it tells of, if it is of one file. */
      delivery_id bigint references collection_deliveries (id) on delete cascade,
      /* When it became due, which tells it from others of its kind. */
      occasion timestamptz(3) not null default now(),
      tries integer not null default 0,
      next_try_at timestamptz(3) not null default now(),
      sent_at timestamptz(3),
      /* Why the last try failed, as code and values. */
      error jsonb,
      constraint collection_mails_once unique nulls not distinct (sender_id, kind, delivery_id, occasion)
    )
  `)
  await knex.raw(
    'create index collection_mails_due on collection_mails (next_try_at) where sent_at is null',
  )
  await knex.raw(
    'create index collection_mails_delivery on collection_mails (delivery_id) where delivery_id is not null',
  )
  await knex.raw('alter table collection_senders add column reminded_at timestamptz(3)')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table collection_senders drop column reminded_at')
  await knex.raw('drop table collection_mails, signing_keys')
}
