import type { Knex } from 'knex'

/**
 * Before it refuses, a reference without an action asks by its key whether another row has come in the place of
 * the deleted one: for each job that was kept long enough, a page of an index in no order. `restrict` does not ask.
 */
const referTo = (onDelete: string): string => `
  alter table workflow_runs
    drop constraint workflow_runs_job_uuid_fkey,
    add constraint workflow_runs_job_uuid_fkey foreign key (job_uuid) references jobs (uuid) ${onDelete}`

export async function up(knex: Knex): Promise<void> {
  await knex.raw(referTo('on delete restrict'))
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(referTo(''))
}
