import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  // Deleted for good: what refers to a connection keeps its uuid, or `on delete set null`.
  await knex.raw(`
    create table connections (
      id bigint generated always as identity primary key,
      uuid uuid not null unique default gen_random_uuid(),
      enterprise_id integer not null references enterprises (id),
      type text not null check (type in ('FORMULAIRES')),
      name text not null check (length(name) between 1 and 255),
      base_url text not null,
      api_key_ciphertext bytea not null,
      api_key_iv bytea not null,
      /* Which master key sealed it. */
      api_key_key_id text not null,
      api_key_prefix text not null check (length(api_key_prefix) <= 16),
      /* Grows when another key is put in, so that a late refusal of the old one counts for nothing. */
      api_key_version bigint not null default 1,
      status text not null default 'ACTIVE' check (status in ('ACTIVE', 'ERROR')),
      error_message text check (status <> 'ACTIVE' or error_message is null),
      last_validated_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )
  `)
  await knex.raw('create index connections_enterprise on connections (enterprise_id, id desc)')
  await knex.raw(
    'create index connections_search on connections using gin (search_fold(name) gin_trgm_ops)',
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table connections')
}
