import type { Knex } from 'knex'

/** Who says how many states are kept while the table is at work leaves it to the sweep to forget the others. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'alter table generated_tables add column forgetting_due boolean not null default false',
  )
  await knex.raw(
    'create index generated_tables_forgetting on generated_tables (id) where forgetting_due',
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table generated_tables drop column forgetting_due')
}
