import type { Knex } from 'knex'

/**
 * How many bytes of documents each enterprise has, kept where documents come and go, whoever makes
 * them so. Who has no enterprise counts as one of their own: a negative number.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table documents add column uploader_share integer')
  await knex.raw(`
    update documents d set uploader_share = -o.user_id
    from users_documents o where o.document_id = d.id and d.enterprise_id is null`)
  await knex.raw('alter table document_uploads add column enterprise_share integer')
  await knex.raw(`
    update document_uploads d
    set enterprise_share = coalesce(
      (select f.enterprise_id from folders f where f.uuid = d.folder_uuid),
      (select coalesce(u.enterprise_id, -u.id) from users u where u.id = d.user_id))`)
  await knex.raw(
    'create index document_uploads_share on document_uploads (enterprise_share) where not aborted',
  )
  await knex.raw(`
    create table document_bytes (
      enterprise_share integer primary key,
      bytes bigint not null
    )`)
  await knex.raw(`
    insert into document_bytes (enterprise_share, bytes)
    select coalesce(enterprise_id, uploader_share), sum(size_bytes) from documents
    where coalesce(enterprise_id, uploader_share) is not null group by 1`)
  // Its own search path: it runs in whatever session changes documents.
  await knex.raw(`
    create function count_document_bytes() returns trigger language plpgsql
    set search_path = pg_catalog, public as $$
    begin
      insert into document_bytes as kept (enterprise_share, bytes)
      select coalesce(enterprise_id, uploader_share),
             case tg_op when 'INSERT' then sum(size_bytes) else -sum(size_bytes) end
      from changed where coalesce(enterprise_id, uploader_share) is not null
      group by 1 order by 1
      on conflict (enterprise_share) do update set bytes = kept.bytes + excluded.bytes;
      return null;
    end $$`)
  await knex.raw('revoke execute on function count_document_bytes() from public')
  for (const [event, rows] of [
    ['insert', 'new'],
    ['delete', 'old'],
  ]) {
    await knex.raw(`
      create trigger document_bytes_on_${event} after ${event} on documents
      referencing ${rows} table as changed
      for each statement execute function count_document_bytes()`)
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop trigger document_bytes_on_insert on documents')
  await knex.raw('drop trigger document_bytes_on_delete on documents')
  await knex.raw('drop function count_document_bytes()')
  await knex.raw('drop table document_bytes')
  await knex.raw('alter table document_uploads drop column enterprise_share')
  await knex.raw('alter table documents drop column uploader_share')
}
