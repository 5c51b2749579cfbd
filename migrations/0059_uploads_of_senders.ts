import type { Knex } from 'knex'

/**
 * Whoever has the link of a collection sends large files in parts, too. Such an upload belongs to the
 * link and one slot, and ends with them; once its parts are joined it waits for its delivery.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table document_uploads
      alter column user_id drop not null,
      /* Looked up again whenever it is used: the link may have ended. */
      add column link_hash bytea,
      add column slot_id bigint,
      /* Of a link: of a user it is known by the user. */
      add column enterprise_id integer,
      /* Of the joined parts. */
      add column sha256 text,
      add constraint document_uploads_uploader
        check ((user_id is null) = (link_hash is not null)
               and num_nulls(link_hash, slot_id, enterprise_id) in (0, 3))
  `)
  await knex.raw(
    'create index document_uploads_link on document_uploads (link_hash) where link_hash is not null',
  )
  // Counted apart from the files that were read.
  await knex.raw('alter table collection_tries add column is_upload boolean not null default false')
}

export async function down(knex: Knex): Promise<void> {
  // The sweep removes their parts and objects.
  await knex.raw(`
    with ended as (delete from document_uploads where user_id is null returning bucket, path)
    insert into object_claims (bucket, path, expires_at)
    select bucket, path, '-infinity' from ended on conflict do nothing
  `)
  await knex.raw(`delete from collection_tries where is_upload`)
  await knex.raw('alter table collection_tries drop column is_upload')
  await knex.raw('drop index document_uploads_link')
  await knex.raw(`
    alter table document_uploads
      drop constraint document_uploads_uploader,
      drop column link_hash,
      drop column slot_id,
      drop column enterprise_id,
      drop column sha256,
      alter column user_id set not null
  `)
}
