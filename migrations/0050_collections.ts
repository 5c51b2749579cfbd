import type { Knex } from 'knex'

/**
 * Many senders, one table. A collection asks its senders for a file in each of its periods: a slot
 * each. Its source is not deleted while it is collected. Of the secrets of links only hashes are kept.
 */
export async function up(knex: Knex): Promise<void> {
  await createCollections(knex)
  await createSlots(knex)
  await knex.raw('alter table loads drop constraint loads_kind_check')
  await knex.raw(`
    alter table loads add constraint loads_kind_check check (kind in (
      'creation', 'reload', 'rejects', 'schedule', 'launch', 'rollback', 'delivery'))
  `)
}

async function createCollections(knex: Knex): Promise<void> {
  await knex.raw(`
    create table collections (
      id bigint generated always as identity primary key,
      uuid uuid not null unique default gen_random_uuid(),
      enterprise_id integer not null references enterprises (id),
      source_id bigint not null references sources (id),
      name text not null check (length(name) between 1 and 255),
      /* To the senders. */
      message text,
      deadline timestamptz(3),
      close_at_deadline boolean not null default false,
      approval boolean not null default false,
      /* How long before the deadline: 7d. */
      remind jsonb not null default '[]',
      /* The columns, by their names in SQL, that say of each row who sent it, and for when. */
      sender_column text,
      period_column text,
      created_by integer references users (id) on delete set null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )
  `)
  await knex.raw(
    'create index collections_enterprise on collections (enterprise_id, created_at desc, id desc)',
  )
  await knex.raw('create index collections_newest on collections (created_at desc, id desc)')
  await knex.raw('create index collections_source on collections (source_id)')
  await knex.raw(
    'create index collections_search on collections using gin (search_fold(name) gin_trgm_ops)',
  )
  await knex.raw(`
    create table collection_senders (
      id bigint generated always as identity primary key,
      uuid uuid not null unique default gen_random_uuid(),
      collection_id bigint not null references collections (id) on delete cascade,
      enterprise_id integer not null,
      key text not null check (length(key) between 1 and 255),
      /* Of a collection, no two keys fold alike. */
      folded_key text not null,
      name text not null check (length(name) between 1 and 255),
      email text not null,
      language text not null check (language in ('fr', 'en')),
      created_at timestamptz(3) not null default now(),
      constraint collection_senders_key unique (collection_id, folded_key)
    )
  `)
  await knex.raw(`
    create index collection_senders_search on collection_senders
      using gin (search_fold(key || ' ' || name || ' ' || email) gin_trgm_ops)
  `)
  // Several of one sender may live at once: each mail has its own. A new link ends all of them.
  await knex.raw(`
    create table collection_links (
      hash bytea primary key,
      sender_id bigint not null references collection_senders (id) on delete cascade,
      created_at timestamptz(3) not null default now()
    )
  `)
  await knex.raw('create index collection_links_sender on collection_links (sender_id)')
  // Files that were read of a sender, within the last hour.
  await knex.raw(`
    create table collection_tries (
      id bigint generated always as identity primary key,
      sender_id bigint not null references collection_senders (id) on delete cascade,
      tried_at timestamptz(3) not null default clock_timestamp()
    )
  `)
  await knex.raw('create index collection_tries_sender on collection_tries (sender_id, tried_at)')
}

async function createSlots(knex: Knex): Promise<void> {
  await knex.raw(`
    create table collection_periods (
      id bigint generated always as identity primary key,
      uuid uuid not null unique default gen_random_uuid(),
      collection_id bigint not null references collections (id) on delete cascade,
      enterprise_id integer not null,
      /* Null: the only one of a collection without periods. */
      label text check (length(label) between 1 and 255),
      folded_label text not null,
      created_at timestamptz(3) not null default now(),
      constraint collection_periods_label unique (collection_id, folded_label)
    )
  `)
  await knex.raw(`
    create table collection_slots (
      id bigint generated always as identity primary key,
      uuid uuid not null unique default gen_random_uuid(),
      collection_id bigint not null references collections (id) on delete cascade,
      enterprise_id integer not null,
      sender_id bigint not null references collection_senders (id) on delete cascade,
      period_id bigint not null references collection_periods (id) on delete cascade,
      state text not null default 'awaited' check (state in ('awaited', 'refused', 'received', 'accepted')),
      created_at timestamptz(3) not null default now(),
      constraint collection_slots_place unique (sender_id, period_id)
    )
  `)
  await knex.raw(`
    create index collection_slots_newest on collection_slots (collection_id, created_at desc, id desc)
  `)
  await knex.raw('create index collection_slots_state on collection_slots (collection_id, state)')
  await knex.raw('create index collection_slots_period on collection_slots (period_id)')
  await knex.raw(`
    create table collection_deliveries (
      id bigint generated always as identity primary key,
      uuid uuid not null unique default gen_random_uuid(),
      slot_id bigint not null references collection_slots (id) on delete cascade,
      enterprise_id integer not null,
      state text not null
        check (state in ('refused', 'received', 'accepted', 'replaced', 'returned')),
      filename text not null,
      size_bytes bigint not null,
      sha256 text not null,
      rows bigint not null default 0,
      rejected bigint not null default 0,
      is_late boolean not null,
      shape_version integer,
      load_id bigint references loads (id) on delete set null,
      /* A compact JWS; null: it was not accepted. */
      receipt text,
      /* Why it was refused, as code and values; or what was said when it was returned. */
      reason jsonb,
      received_at timestamptz(3) not null default clock_timestamp()
    )
  `)
  await knex.raw(
    'create index collection_deliveries_slot on collection_deliveries (slot_id, id desc)',
  )
  await knex.raw(
    'create index collection_deliveries_load on collection_deliveries (load_id) where load_id is not null',
  )
  // What a slot holds, and what waits there for approval.
  for (const state of ['accepted', 'received']) {
    await knex.raw(`
      create unique index collection_deliveries_${state} on collection_deliveries (slot_id)
        where state = '${state}'
    `)
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table collection_deliveries, collection_slots, collection_periods, collection_tries,
      collection_links, collection_senders, collections
  `)
  await knex.raw('alter table loads drop constraint loads_kind_check')
  await knex.raw(`update loads set kind = 'reload' where kind = 'delivery'`)
  await knex.raw(`
    alter table loads add constraint loads_kind_check check (kind in (
      'creation', 'reload', 'rejects', 'schedule', 'launch', 'rollback'))
  `)
}
