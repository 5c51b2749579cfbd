import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sources (
      id bigint generated always as identity primary key,
      uuid uuid not null unique default gen_random_uuid(),
      enterprise_id integer not null references enterprises (id),
      name text not null check (length(name) between 1 and 255),
      table_name text not null check (table_name ~ '^[a-z_][a-z0-9_]{0,62}$'),
      source text not null check (source in ('file', 'api')),
      /* Null until the content of a file has been recognised. */
      source_type text check (source_type in ('CSV', 'EXCEL', 'JSON', 'API_FORM')),
      status text not null check (status in ('LOADING', 'READY', 'FAILED')),
      row_count bigint not null default 0,
      rejected_count bigint not null default 0,
      columns jsonb not null default '[]',
      options jsonb not null default '{}',
      report jsonb,
      error_message text,

      /* Origins keep uuids, not keys: connections and documents may go, loaded data stays. */
      connection_uuid uuid,
      api_resource_type text check (api_resource_type in ('form', 'card')),
      form_uuid uuid,
      form_title text,
      card_uuid uuid,
      card_title text,
      document_uuid uuid,

      /* The uploaded file, kept for reloads. */
      filename text,
      object_bucket text,
      object_path text,
      object_size bigint,
      object_sha256 text,

      /* Who works on it: the process, and which piece of work of that process. */
      busy_by integer,
      busy_token uuid,

      created_by integer references users (id) on delete set null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      loaded_at timestamptz(3),
      constraint sources_table_name unique (enterprise_id, table_name),
      check ((object_bucket is null) = (object_path is null)),
      check ((busy_by is null) = (busy_token is null))
    )
  `)
  await knex.raw('create index sources_enterprise on sources (enterprise_id, id desc)')
  await knex.raw('create index sources_busy on sources (busy_by) where busy_by is not null')
  await knex.raw(
    'create index sources_search on sources using gin (search_fold(name) gin_trgm_ops)',
  )

  await knex.raw(`
    create table source_loads (
      id bigint generated always as identity primary key,
      uuid uuid not null unique default gen_random_uuid(),
      source_id bigint not null references sources (id) on delete cascade,
      user_id integer references users (id) on delete set null,
      /* creation, reload, or rejects that were mended and sent again */
      kind text not null check (kind in ('creation', 'reload', 'rejects')),
      mode text not null check (mode in ('replace', 'append', 'upsert')),
      key_column text,
      filename text,
      size_bytes bigint,
      sha256 text,
      options jsonb not null,
      dialect jsonb not null,
      rows_read bigint not null,
      rows_loaded bigint not null,
      rows_rejected bigint not null,
      rows_blank bigint not null,
      drift jsonb not null,
      report jsonb not null,
      started_at timestamptz(3) not null,
      finished_at timestamptz(3) not null default now()
    )
  `)
  await knex.raw('create index source_loads_source on source_loads (source_id, id desc)')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table source_loads')
  await knex.raw('drop table sources')
}
