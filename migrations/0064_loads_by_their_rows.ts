import type { Knex } from 'knex'

/** Of which load a row is, among however many a table has. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'create index loads_rows on loads (table_id, rows_before) where rows_before is not null',
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index loads_rows')
}
