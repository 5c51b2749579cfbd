import type { Knex } from 'knex'

/** A process that is frozen keeps its transactions, and their locks: whoever finds it dead ends them. */
export async function up(knex: Knex): Promise<void> {
  // Null: of a process whose sessions bear no name of their own.
  await knex.raw('alter table processes add column session_name text')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table processes drop column session_name')
}
