import type { Knex } from 'knex'

/** What lies in deleted folders is taken off the documents of an owner, who has far more of them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index folders_deleted on folders (id) where deleted_at is not null')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index folders_deleted')
}
