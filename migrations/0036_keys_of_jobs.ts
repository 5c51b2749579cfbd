import type { Knex } from 'knex'

/** Which job has done the work of a key, said where the work became visible: nobody does it a second time. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table idempotency_keys add column job_uuid uuid')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table idempotency_keys drop column job_uuid')
}
