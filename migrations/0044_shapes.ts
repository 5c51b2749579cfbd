import type { Knex } from 'knex'

/**
 * What the files of a source look like. A shape without a name is that of one source alone, and goes with it; one
 * with a name is shared by sources of its enterprise. Every source that is there gets a shape of its own, made of the
 * columns that it has.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table shapes (
      id bigint generated always as identity primary key,
      uuid uuid not null unique default gen_random_uuid(),
      enterprise_id integer not null references enterprises (id),
      source_id bigint unique references sources (id) on delete cascade,
      name text check (length(name) between 1 and 255),
      columns jsonb not null default '[]',
      /* Columns in SQL whose type was given by people, not found. */
      held_columns jsonb not null default '[]',
      /* Headers that people have left out. */
      left_out jsonb not null default '[]',
      rules jsonb not null default '[]',
      unknown text not null default 'add' check (unknown in ('add', 'leave', 'ask', 'refuse')),
      missing text not null default 'empty' check (missing in ('empty', 'ask', 'refuse')),
      version integer not null default 1,
      created_by integer references users (id) on delete set null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      check ((name is null) = (source_id is not null))
    )
  `)
  await knex.raw(
    'create index shapes_enterprise on shapes (enterprise_id, created_at desc, id desc) where name is not null',
  )
  await knex.raw(
    'create index shapes_search on shapes using gin (search_fold(name) gin_trgm_ops) where name is not null',
  )

  // What shapes remember, to be asked by the headers of a file; written with the columns of the shape.
  await knex.raw(`
    create table shape_aliases (
      shape_id bigint not null references shapes (id) on delete cascade,
      enterprise_id integer not null,
      /* The name of the column that the alias stands for. */
      name text not null,
      alias text not null,
      folded text not null
    )
  `)
  await knex.raw('create index shape_aliases_shape on shape_aliases (shape_id)')
  // In this order each of its answers is found by one step, however many shapes give it.
  await knex.raw(`
    create index shape_aliases_folded
      on shape_aliases (enterprise_id, md5(folded), md5(alias), md5(name))
  `)

  await knex.raw('alter table sources add column shape_id bigint references shapes (id)')
  await knex.raw('create index sources_shape on sources (shape_id) where shape_id is not null')

  await knex.raw(`
    insert into shapes (enterprise_id, source_id, created_by, columns)
    select s.enterprise_id, s.id, s.created_by, coalesce((
        select jsonb_agg(
          jsonb_strip_nulls(jsonb_build_object(
            'name', c ->> 'name', 'column', c ->> 'column', 'type', c ->> 'type',
            'dateFormat', c ->> 'dateFormat', 'pattern', c ->> 'pattern'))
          || '{"aliases": [], "rules": []}' order by ordinal)
        from jsonb_array_elements(t.columns) with ordinality as columns (c, ordinal)), '[]')
    from sources s join generated_tables t on t.id = s.table_id
    order by s.id
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table sources drop column shape_id')
  await knex.raw('drop table shape_aliases, shapes')
}
