import type { Knex } from 'knex'

/** What each master key makes of a fixed text: another key under the same id makes something else. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table encryption_keys (
      key_id text primary key,
      check_value bytea not null,
      first_used_at timestamptz(3) not null default now()
    )`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table encryption_keys')
}
