import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table idempotency_keys (
      actor_id integer not null references users (id) on delete cascade,
      key text not null,
      /* Null while the first request is under way. */
      fingerprint text,
      status smallint,
      headers jsonb,
      body jsonb,
      /* Moves while the first request runs; one that stands still belonged to a dead process. */
      alive_at timestamptz(3) not null default now(),
      created_at timestamptz(3) not null default now(),
      primary key (actor_id, key)
    )
  `)
  await knex.raw('create index idempotency_keys_age on idempotency_keys (created_at)')

  // The shape that rate-limiter-flexible works on.
  await knex.raw(`
    create table login_attempts (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    )
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table login_attempts')
  await knex.raw('drop table idempotency_keys')
}
