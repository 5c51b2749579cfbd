import type { Knex } from 'knex'

/** The columns in which no value is twice among these rows, as far as that is known without asking. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table load_tables add distinct_columns text[] not null default '{}'`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table load_tables drop distinct_columns')
}
