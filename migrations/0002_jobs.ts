import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table jobs (
      id bigint generated always as identity primary key,
      uuid uuid not null unique default gen_random_uuid(),
      kind text not null,
      owner_id integer not null references users (id) on delete cascade,
      /* Queued jobs can be taken over by another worker; the others live in one request. */
      queued boolean not null,
      status text not null check (status in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
      input jsonb,
      phase text,
      bytes_read bigint not null default 0,
      bytes_total bigint,
      rows bigint not null default 0,
      rejected bigint not null default 0,
      result jsonb,
      error jsonb,
      cancel_requested boolean not null default false,
      /* Which run of the job the writer belongs to: a worker that was given up cannot write. */
      attempt integer not null default 0,
      heartbeat_at timestamptz(3),
      /* Counts the changes, for the stream of events. */
      version bigint not null default 1,
      created_at timestamptz(3) not null default now(),
      started_at timestamptz(3),
      finished_at timestamptz(3)
    )
  `)
  await knex.raw('create index jobs_owner on jobs (owner_id, id desc)')
  await knex.raw(
    `create index jobs_unfinished on jobs (heartbeat_at) where status in ('QUEUED', 'RUNNING')`,
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table jobs')
}
