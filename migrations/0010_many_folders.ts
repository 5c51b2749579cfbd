import type { Knex } from 'knex'

/**
 * Where a few folders hold almost everything, PostgreSQL takes them all for as large, and reads the
 * whole table at each folder of a page or of a walk. Told that folders are many, it looks them up.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table documents alter column folder_id set (n_distinct = -0.1)')
  await knex.raw('alter table folders alter column parent_id set (n_distinct = -0.1)')
  await knex.raw('analyze documents, folders')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table documents alter column folder_id reset (n_distinct)')
  await knex.raw('alter table folders alter column parent_id reset (n_distinct)')
}
