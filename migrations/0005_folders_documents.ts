import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await createFolders(knex)
  await createDocuments(knex)
  await createUploads(knex)
}

async function createFolders(knex: Knex): Promise<void> {
  await knex.raw(`
    create table folders (
      id bigint generated always as identity primary key,
      uuid uuid not null unique default gen_random_uuid(),
      name text not null check (length(name) between 1 and 255),
      client_id integer not null references users (id),
      enterprise_id integer not null references enterprises (id),
      created_by integer not null references users (id),
      parent_id bigint references folders (id),
      /* The root of the tree; a folder never leaves it. Set by the database itself. */
      root_id bigint not null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      deleted_at timestamptz(3)
    )
  `)
  await knex.raw(`
    create unique index folders_one_active_root on folders (enterprise_id)
    where parent_id is null and deleted_at is null
  `)
  await knex.raw('create index folders_parent on folders (parent_id, id desc)')
  await knex.raw('create index folders_root on folders (root_id, id)')
  await knex.raw('create index folders_enterprise on folders (enterprise_id, id desc)')
  await knex.raw(
    'create index folders_active_roots on folders (id desc) where parent_id is null and deleted_at is null',
  )
  await knex.raw('create index folders_active on folders (id desc) where deleted_at is null')
  await knex.raw(
    'create index folders_search on folders using gin (search_fold(name) gin_trgm_ops)',
  )
  await knex.raw(`
    create function place_folder() returns trigger language plpgsql as $$
    begin
      if new.parent_id is null then
        new.root_id := new.id;
      else
        /* A tree belongs to one enterprise. */
        select root_id, enterprise_id into new.root_id, new.enterprise_id
        from folders where id = new.parent_id;
      end if;
      return new;
    end $$
  `)
  await knex.raw(`
    create trigger folders_place before insert on folders
    for each row execute function place_folder()
  `)
}

async function createDocuments(knex: Knex): Promise<void> {
  await knex.raw(`
    create table documents (
      id bigint generated always as identity primary key,
      uuid uuid not null unique default gen_random_uuid(),
      /* The folder's, else the uploader's; a super-admin may have none. */
      enterprise_id integer references enterprises (id),
      folder_id bigint references folders (id),
      bucket text not null,
      path text not null,
      original_name text not null,
      content_type text not null,
      size_bytes bigint not null check (size_bytes >= 0),
      sha256 text not null,
      created_at timestamptz(3) not null default now(),
      unique (bucket, path)
    )
  `)
  await knex.raw('create index documents_folder on documents (folder_id, id)')
  await knex.raw('create index documents_enterprise on documents (enterprise_id, id desc)')
  await knex.raw(
    'create index documents_search on documents using gin (search_fold(original_name) gin_trgm_ops)',
  )
  await knex.raw(`
    create table users_documents (
      user_id integer not null references users (id) on delete cascade,
      document_id bigint not null references documents (id) on delete cascade,
      primary key (user_id, document_id)
    )
  `)
  await knex.raw('create index users_documents_document on users_documents (document_id)')
}

async function createUploads(knex: Knex): Promise<void> {
  // Objects that are stored, or being stored, before a row owns them. What a dead process left is
  // found here and removed.
  await knex.raw(`
    create table object_claims (
      bucket text not null,
      path text not null,
      /* Moved on while the process that stores the object lives. */
      expires_at timestamptz(3) not null,
      /* The sweep has it: too late to keep the object. */
      sweeping boolean not null default false,
      primary key (bucket, path)
    )
  `)
  await knex.raw('create index object_claims_expiry on object_claims (expires_at)')

  await knex.raw(`
    create table document_uploads (
      id bigint generated always as identity primary key,
      uuid uuid not null unique default gen_random_uuid(),
      user_id integer not null references users (id) on delete cascade,
      /* Looked up again at completion: the folder may be gone by then. */
      folder_uuid uuid,
      bucket text not null,
      path text not null,
      multipart_id text not null,
      original_name text not null,
      content_type text not null,
      size_bytes bigint not null,
      part_bytes bigint not null,
      aborted boolean not null default false,
      expires_at timestamptz(3) not null,
      created_at timestamptz(3) not null default now(),
      unique (bucket, path)
    )
  `)
  await knex.raw('create index document_uploads_expiry on document_uploads (expires_at)')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table document_uploads')
  await knex.raw('drop table object_claims')
  await knex.raw('drop table users_documents')
  await knex.raw('drop table documents')
  await knex.raw('drop table folders')
  await knex.raw('drop function place_folder()')
}
