import type { Knex } from 'knex'

/**
 * How the headers of a load met the columns of its table, what it asks, and what people said about it. `mapping` holds
 * the list as it is shown, `answers` what was sent with the load, and whether it is to be remembered.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table loads
      add column mapping jsonb,
      add column questions jsonb not null default '[]',
      add column missing jsonb not null default '[]',
      add column answers jsonb,
      add column shape_version integer
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table loads
      drop column mapping, drop column questions, drop column missing, drop column answers,
      drop column shape_version
  `)
}
