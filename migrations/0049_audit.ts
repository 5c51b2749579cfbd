import type { Knex } from 'knex'

/**
 * Who did what. An entry is linked to the one before it, of the same enterprise, at the moment when its
 * transaction commits: the row that holds the end of a chain is locked for the commit alone, whatever the
 * transaction does before, and no two transactions can wait for each other there.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table audit_entries (
      id bigint generated always as identity primary key,
      created_at timestamptz(3) not null default clock_timestamp(),
      /* Null: of no enterprise. No foreign key: it outlives what it tells of. */
      enterprise_id integer,
      action text not null,
      outcome text not null check (outcome in ('done', 'queued')),
      thing_kind text not null,
      thing_uuid uuid,
      thing_name text,
      /* The names of what was changed, never the values. */
      fields text[] not null default '{}',
      actor_uuid uuid,
      actor_email text,
      actor_role text,
      via text not null,
      token text,
      address text,
      request_id text,
      job_uuid uuid,
      /* Set once, at the commit. */
      number bigint,
      hash bytea
    )`)
  await knex.raw(
    `create unique index audit_entries_chain on audit_entries (coalesce(enterprise_id, 0), number)`,
  )
  await knex.raw(`create index audit_entries_newest on audit_entries (created_at desc, id desc)`)
  await knex.raw(
    `create index audit_entries_of_enterprise
     on audit_entries (enterprise_id, created_at desc, id desc)`,
  )
  await knex.raw(
    `create index audit_entries_of_thing on audit_entries (thing_uuid, created_at desc, id desc)`,
  )
  await knex.raw(
    `create index audit_entries_of_actor on audit_entries (actor_uuid, created_at desc, id desc)`,
  )
  await knex.raw(`
    create table audit_chains (
      /* 0: of no enterprise. */
      enterprise_id integer primary key,
      number bigint not null default 0,
      hash bytea not null default '',
      /* What was written into the object storage, and may be removed here. */
      exported_number bigint not null default 0,
      exported_hash bytea not null default ''
    )`)
  await knex.raw(`
    create function audit_text(e audit_entries) returns text language sql stable as $$
      select jsonb_build_object(
        'number', e.number,
        'createdAt', to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'enterpriseId', e.enterprise_id, 'action', e.action, 'outcome', e.outcome,
        'thing', jsonb_build_object('kind', e.thing_kind, 'uuid', e.thing_uuid, 'name', e.thing_name),
        'fields', to_jsonb(e.fields),
        'actor', jsonb_build_object('uuid', e.actor_uuid, 'email', e.actor_email, 'role', e.actor_role),
        'via', e.via, 'token', e.token, 'address', e.address,
        'requestId', e.request_id, 'jobUuid', e.job_uuid)::text
    $$`)
  await knex.raw(`
    create function audit_link() returns trigger language plpgsql as $$
    declare
      chain audit_chains;
      linked audit_entries := new;
    begin
      insert into audit_chains (enterprise_id) values (coalesce(new.enterprise_id, 0))
      on conflict do nothing;
      select * into chain from audit_chains
      where enterprise_id = coalesce(new.enterprise_id, 0) for update;
      linked.number := chain.number + 1;
      linked.hash := sha256(
        convert_to(encode(chain.hash, 'hex') || ' ' || audit_text(linked), 'UTF8'));
      update audit_entries set number = linked.number, hash = linked.hash where id = new.id;
      update audit_chains set number = linked.number, hash = linked.hash
      where enterprise_id = chain.enterprise_id;
      return null;
    end $$`)
  await knex.raw(`
    create constraint trigger audit_entries_link after insert on audit_entries
    deferrable initially deferred for each row execute function audit_link()`)
  await knex.raw(`
    create function audit_refuse() returns trigger language plpgsql as $$
    begin
      if tg_level = 'ROW' and tg_table_name = 'audit_entries' then
        if tg_op = 'UPDATE' and old.hash is null and new.hash is not null
           and to_jsonb(new) - '{number,hash}'::text[] = to_jsonb(old) - '{number,hash}'::text[] then
          return new;
        end if;
        if tg_op = 'DELETE' and old.number <= (
             select exported_number from audit_chains
             where enterprise_id = coalesce(old.enterprise_id, 0)) then
          return old;
        end if;
      elsif tg_level = 'ROW' and tg_op = 'UPDATE' then
        if new.enterprise_id = old.enterprise_id and new.number >= old.number
           and new.exported_number between old.exported_number and new.number then
          return new;
        end if;
      end if;
      raise exception 'the audit trail is only added to: % refused', lower(tg_op)
        using errcode = 'insufficient_privilege',
              hint = 'What AUDIT_KEPT says is exported and removed by the service itself.';
    end $$`)
  await knex.raw(`
    revoke execute on function audit_text(audit_entries), audit_link(), audit_refuse() from public`)
  for (const table of ['audit_entries', 'audit_chains']) {
    await knex.raw(`
      create trigger ${table}_guard before update or delete on ${table}
      for each row execute function audit_refuse()`)
    await knex.raw(`
      create trigger ${table}_whole before truncate on ${table}
      for each statement execute function audit_refuse()`)
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table audit_entries, audit_chains cascade')
  await knex.raw('drop function audit_link(), audit_refuse()')
}
