import type { Knex } from 'knex'

/**
 * A search looks at each name of an owner who has few documents. Folding takes far longer than
 * comparing, so what it gives is kept beside the name, by the database itself. The rows are written
 * anew: without the old index, which would be made anew with them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index documents_search')
  await knex.raw(`
    alter table documents add column folded_name text not null
      generated always as (search_fold(original_name)) stored
  `)
  await knex.raw('create index documents_search on documents using gin (folded_name gin_trgm_ops)')
  await knex.raw('analyze documents')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table documents drop column folded_name')
  await knex.raw(
    'create index documents_search on documents using gin (search_fold(original_name) gin_trgm_ops)',
  )
}
