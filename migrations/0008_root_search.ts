import type { Knex } from 'knex'

/** The list shows roots unless it is asked for more, and their names are few beside all others. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index folders_root_search on folders using gin (search_fold(name) gin_trgm_ops)
    where parent_id is null and deleted_at is null
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index folders_root_search')
}
