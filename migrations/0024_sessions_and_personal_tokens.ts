import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  // Tokens that were issued up to then are over, but for the session that is kept. To the
  // millisecond, as tokens say when they were issued.
  await knex.raw(`
    alter table users
      add column sessions_valid_from timestamptz(3),
      add column kept_session text
  `)

  await knex.raw(`
    create table personal_tokens (
      id integer generated always as identity primary key,
      uuid uuid not null unique default gen_random_uuid(),
      user_id integer not null references users (id) on delete cascade,
      name text not null check (length(name) between 1 and 255),
      /* How the token begins; the token itself is stored nowhere. */
      prefix text not null,
      hash bytea not null unique,
      created_at timestamptz(3) not null default clock_timestamp(),
      last_used_at timestamptz(3),
      expires_at timestamptz(3)
    )
  `)
  await knex.raw(
    'create index personal_tokens_owner on personal_tokens (user_id, created_at desc, id desc)',
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table personal_tokens')
  await knex.raw('alter table users drop column sessions_valid_from, drop column kept_session')
}
