import type { Knex } from 'knex'

/** Users and enterprises are listed newest first, and searched by what they are called. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index enterprises_newest on enterprises (created_at desc, id desc)')
  await knex.raw('create index users_newest on users (created_at desc, id desc)')
  await knex.raw(
    `create index users_search on users
     using gin (search_fold(name) gin_trgm_ops, search_fold(email::text) gin_trgm_ops)`,
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index users_search')
  await knex.raw('drop index users_newest')
  await knex.raw('drop index enterprises_newest')
}
