import type { Knex } from 'knex'

const OURS = `
  select p.oid::regprocedure as function from pg_proc p
  where p.pronamespace = current_schema()::regnamespace and p.proowner = current_user::regrole
    and not exists (select from pg_depend d
                    where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`

const forEachOfOurs = (statement: string) => `
  do $$ declare function regprocedure; begin
    for function in ${OURS} loop execute format('${statement}', function); end loop;
  end $$`

/** Whoever may read tables of an enterprise with SQL has no business with the service's functions. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(forEachOfOurs('revoke execute on function %s from public'))
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(forEachOfOurs('grant execute on function %s to public'))
}
