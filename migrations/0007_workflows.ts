import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table workflows (
      id bigint generated always as identity primary key,
      uuid uuid not null unique default gen_random_uuid(),
      enterprise_id integer not null references enterprises (id),
      name text not null check (length(name) between 1 and 255),
      /* One of the two variants, or null. It keeps uuids: what they name may go without asking. */
      source_config jsonb check (source_config ->> 'sourceType' in ('document', 'api')),
      created_by integer references users (id) on delete set null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )
  `)
  await knex.raw('create index workflows_enterprise on workflows (enterprise_id, id desc)')
  await knex.raw(
    'create index workflows_search on workflows using gin (search_fold(name) gin_trgm_ops)',
  )

  // A run is as far as its job is, until its rows are published: then it has succeeded, whatever
  // becomes of the process. So a run ends with its job, also when that was cancelled in the queue
  // or its worker died, and nothing has to be told twice.
  await knex.raw(`
    create table workflow_runs (
      id bigint generated always as identity primary key,
      uuid uuid not null unique default gen_random_uuid(),
      workflow_id bigint not null references workflows (id),
      /* Whose schema the table is in. */
      enterprise_id integer not null references enterprises (id),
      job_uuid uuid not null references jobs (uuid),
      /* As the workflow had it at the launch. */
      source_config jsonb not null,
      row_count bigint,
      columns jsonb not null default '[]',
      /* Null before the rows are there, and again when the table was dropped for newer ones. */
      table_name text,
      published_at timestamptz(3),
      created_at timestamptz(3) not null default now()
    )
  `)
  await knex.raw('create index workflow_runs_workflow on workflow_runs (workflow_id, id desc)')
  await knex.raw('create index workflow_runs_job on workflow_runs (job_uuid)')
  await knex.raw(
    `create index workflow_runs_tables on workflow_runs (workflow_id, id desc)
     where table_name is not null`,
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table workflow_runs')
  await knex.raw('drop table workflows')
}
