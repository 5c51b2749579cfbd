import type { Knex } from 'knex'

// Lists are in the order in which things were made. Identifiers are given out before that: what
// began earlier may be made later.

const INDEXES: readonly { name: string; table: string; by: string; where?: string }[] = [
  { name: 'connections_enterprise', table: 'connections', by: 'enterprise_id' },
  { name: 'sources_enterprise', table: 'sources', by: 'enterprise_id' },
  { name: 'workflows_enterprise', table: 'workflows', by: 'enterprise_id' },
  { name: 'workflow_runs_workflow', table: 'workflow_runs', by: 'workflow_id' },
  { name: 'jobs_owner', table: 'jobs', by: 'owner_id' },
  { name: 'folders_parent', table: 'folders', by: 'parent_id' },
  { name: 'folders_enterprise', table: 'folders', by: 'enterprise_id' },
  { name: 'folders_active', table: 'folders', by: '', where: 'deleted_at is null' },
  {
    name: 'folders_active_roots',
    table: 'folders',
    by: '',
    where: 'parent_id is null and deleted_at is null',
  },
]

/** Super-admins list those of everybody; until now by the primary key. */
const OF_EVERYBODY = ['connections', 'sources', 'workflows'] as const

export async function up(knex: Knex): Promise<void> {
  await makeIndexes(knex, 'created_at desc, id desc')
  for (const table of OF_EVERYBODY) {
    await knex.raw(`create index ${table}_newest on ${table} (created_at desc, id desc)`)
  }
  await dateOwnership(knex)
}

async function makeIndexes(knex: Knex, order: string): Promise<void> {
  for (const { name, table, by, where } of INDEXES) {
    await knex.raw(`drop index if exists ${name}`)
    const columns = [by, order].filter(Boolean).join(', ')
    await knex.raw(`create index ${name} on ${table} (${columns}) ${where ? `where ${where}` : ''}`)
  }
}

/** An owner's documents are found through their links, which therefore carry the time of the document. */
async function dateOwnership(knex: Knex): Promise<void> {
  await knex.raw('alter table users_documents add column created_at timestamptz(3)')
  await knex.raw(`
    update users_documents set created_at = documents.created_at
    from documents where documents.id = document_id
  `)
  await knex.raw('alter table users_documents alter column created_at set not null')
  await knex.raw(`
    create index users_documents_newest on users_documents (user_id, created_at desc, document_id desc)
  `)
  await knex.raw(`
    create function date_ownership() returns trigger language plpgsql as $$
    begin
      select created_at into new.created_at from documents where id = new.document_id;
      return new;
    end $$
  `)
  await knex.raw(`
    create trigger users_documents_date before insert on users_documents
    for each row when (new.created_at is null) execute function date_ownership()
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop trigger users_documents_date on users_documents')
  await knex.raw('drop function date_ownership()')
  await knex.raw('alter table users_documents drop column created_at')
  for (const table of OF_EVERYBODY) await knex.raw(`drop index ${table}_newest`)
  await makeIndexes(knex, 'id desc')
}
