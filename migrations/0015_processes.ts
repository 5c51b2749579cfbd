import type { Knex } from 'knex'

/**
 * Whatever a process can leave behind names it by its number, in the place of a time of its own that
 * had to be moved on.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table processes (
      id integer generated always as identity primary key,
      host text not null,
      pid integer not null,
      started_at timestamptz(3) not null default now(),
      /* Its last sign of life. */
      seen_at timestamptz(3) not null default now(),
      /* After so long without one it is dead. */
      silence_ms integer not null,
      /* Its signs of life have come without a gap since then. */
      steady_since timestamptz(3) not null
    ) with (fillfactor = 50)
  `)
  await knex.raw(`
    create table sweeps (
      name text primary key,
      /* From then on the first process that looks does it. */
      due_at timestamptz(3) not null default now()
    )
  `)

  // Null: of a process that ended before there were numbers.
  await knex.raw('drop index jobs_unfinished')
  await knex.raw('alter table jobs drop column heartbeat_at, add column process_id integer')
  await knex.raw(`create index jobs_running on jobs (process_id) where status = 'RUNNING'`)
  await knex.raw(`create index jobs_queued on jobs (id) where status = 'QUEUED'`)

  // Held by a process, or waiting for nobody until a time that does not move.
  await knex.raw(`
    alter table object_claims
      add column process_id integer,
      alter column expires_at drop not null,
      add check (process_id is not null or expires_at is not null)
  `)
  await knex.raw(
    'create index object_claims_process on object_claims (process_id) where process_id is not null',
  )

  // Who completes it: meanwhile it does not expire.
  await knex.raw('alter table document_uploads add column process_id integer')

  await knex.raw(`
    alter table idempotency_keys
      drop column alive_at,
      add column process_id integer,
      /* Of the request that took the key: whoever lost it cannot answer for it. */
      add column token uuid
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table idempotency_keys
      drop column token,
      drop column process_id,
      add column alive_at timestamptz(3) not null default now()
  `)
  await knex.raw('alter table document_uploads drop column process_id')
  await knex.raw('update object_claims set expires_at = now() where expires_at is null')
  await knex.raw(`
    alter table object_claims
      drop column process_id,
      alter column expires_at set not null
  `)
  await knex.raw('drop index jobs_queued')
  await knex.raw('alter table jobs drop column process_id, add column heartbeat_at timestamptz(3)')
  await knex.raw(
    `create index jobs_unfinished on jobs (heartbeat_at) where status in ('QUEUED', 'RUNNING')`,
  )
  await knex.raw('drop table sweeps')
  await knex.raw('drop table processes')
}
