import type { Knex } from 'knex'

/** What people say of a source and its columns. Columns are known by their headers: these outlive loads. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table sources
      add column description text,
      add column column_descriptions jsonb not null default '{}'
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table sources drop column description, drop column column_descriptions')
}
