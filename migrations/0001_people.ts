import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw('create extension if not exists unaccent with schema public')
  await knex.raw('create extension if not exists pg_trgm with schema public')
  await knex.raw('create extension if not exists citext with schema public')

  // What every search compares: without case and accents. `unaccent` is only stable, since its
  // dictionary could be replaced; named with its schema it is as good as immutable, and indexable.
  await knex.raw(`
    create function public.search_fold(value text) returns text
    language sql immutable strict parallel safe
    return lower(public.unaccent('public.unaccent'::regdictionary, value))
  `)

  // `search_fold(name) like search_pattern(:term)`: the term anywhere, its own % and _ taken
  // literally. Escaped after folding, which may bring them in (a full-width percent sign).
  await knex.raw(`
    create function public.search_pattern(term text) returns text
    language sql immutable strict parallel safe
    return '%' || regexp_replace(public.search_fold(term), '([\\\\%_])', '\\\\\\1', 'g') || '%'
  `)

  await knex.raw(`
    create table enterprises (
      id integer generated always as identity primary key,
      uuid uuid not null unique default gen_random_uuid(),
      name text not null check (length(name) between 1 and 255),
      account_type text not null check (account_type in ('enterprise', 'personal')),
      created_at timestamptz(3) not null default now()
    )
  `)
  await knex.raw(
    'create index enterprises_search on enterprises using gin (search_fold(name) gin_trgm_ops)',
  )

  await knex.raw(`
    create table users (
      id integer generated always as identity primary key,
      uuid uuid not null unique default gen_random_uuid(),
      email citext not null unique,
      name text not null,
      password_hash text,
      role_type text not null check (role_type in ('super-admin', 'admin', 'client')),
      account_type text not null check (account_type in ('enterprise', 'personal')),
      enterprise_id integer references enterprises (id),
      disabled_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )
  `)
  await knex.raw('create index users_enterprise on users (enterprise_id)')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table users')
  await knex.raw('drop table enterprises')
  await knex.raw('drop function public.search_pattern(text)')
  await knex.raw('drop function public.search_fold(text)')
}
