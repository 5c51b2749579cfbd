import { expect } from 'chai'

import { csvOf } from '../tools/csv-of.ts'
import { postSource, uniqueTable } from '../deeds/sources.ts'
import { formOf } from '../../support/uploads.ts'
import { openAnalyst } from './analyst.ts'
import type { Intrusion, Scene } from './intrusion.ts'

/** What a cast does, as the owner of the enterprise's tables, to another table; and what the service does then. */
interface SecondStep {
  readonly name: string
  readonly plant: (table: string, own: string) => string
}

const STEPS: readonly SecondStep[] = [
  {
    name: 'a trigger on the parts of another table',
    plant: (table, own) => `for part in select inhrelid::regclass from pg_inherits
        where inhparent = '${table}'::regclass loop
        execute format('create trigger planted before delete on %s for each row
          execute function ${own}.fire()', part);
      end loop`,
  },
  {
    name: 'a rule on the parts of another table',
    plant: (table, own) => `for part in select inhrelid::regclass from pg_inherits
        where inhparent = '${table}'::regclass loop
        execute format('create rule planted as on delete to %s do also select ${own}.take()', part);
      end loop`,
  },
  {
    name: 'the default of a column of another table',
    plant: (table, own) =>
      `execute 'alter table ${table} add column planted text, alter column planted set default ${own}.taken()'`,
  },
  {
    name: 'a default that runs a query written as text',
    plant: (table) =>
      `execute $q$alter table ${table} add column planted text, alter column planted set
         default query_to_xml('select email from public.users', true, false, '')::text$q$`,
  },
  {
    name: 'a check of another table',
    plant: (table, own) =>
      `execute 'alter table ${table} add constraint planted check (${own}.taken() is not null) not valid'`,
  },
  {
    name: 'a forced policy on another table',
    plant: (
      table,
      own,
    ) => `execute 'create policy planted on ${table} using (${own}.taken() is not null)';
      execute 'alter table ${table} enable row level security, force row level security'`,
  },
  {
    name: 'a view in the place of another table',
    plant: (table, own) => `execute 'alter table ${table} rename to moved_away';
      execute 'create view ${table} as select _row, id, ${own}.taken() as version, amount, day, remark
        from ${table.split('.')[0]!}.moved_away'`,
  },
]

/**
 * The check of a foreign key runs a cast as the owner of the tables of an enterprise. What it attaches to them in turn
 * would run as the service.
 */
export const THINGS_OF_A_CAST: readonly Intrusion[] = STEPS.map((step) => ({
  name: `by a cast: ${step.name}`,
  attempt: (scene) => attempt(scene, step),
}))

async function attempt(scene: Scene, { plant }: SecondStep): Promise<void> {
  await using analyst = await openAnalyst(scene)
  const { run, schema, table, loot } = analyst
  const { people, client, pool } = scene.world
  const as = client.as(people.admin)
  const tableName = uniqueTable()
  const made = await postSource(as, { tableName, content: csvOf('first', 10) })
  expect(made.status, made.text).to.equal(201)
  const other = `enterprise_${people.enterprise.id}.${tableName}`
  await run(`create function ${schema}.taken() returns text language plpgsql as $$ begin
      if current_setting('transaction_read_only') = 'off' then
        perform ${schema}.take();
      end if;
      return (select 'TAKEN ' || min(email) from public.users);
    exception when insufficient_privilege then return 'nothing'; end $$;
    create function ${schema}.fire() returns trigger language plpgsql as $$ begin
      perform ${schema}.take(); return coalesce(old, new); end $$;
    create type ${schema}.key as (number bigint);
    create function ${schema}.to_number(key ${schema}.key) returns bigint language plpgsql as $$
      declare part regclass; begin
        if not exists (select from pg_class where relname = 'planted_once'
                       and relnamespace = '${schema}'::regnamespace) then
          ${plant(other, schema)};
        end if;
        return key.number;
      end $$;
    create cast (${schema}.key as bigint) with function ${schema}.to_number(${schema}.key) as implicit;
    create table ${schema}.notes (about ${schema}.key references ${table} (_row))`)
  await run(`insert into ${schema}.notes select row(min(_row))::${schema}.key from ${table}`)
  await run(`create table ${schema}.planted_once (); drop table ${schema}.notes`)
  const uuid = made.body.uuid as string
  const read = await as.get(`/sources/${uuid}/data`)
  const upsert = await as.request(
    'POST',
    `/sources/${uuid}/reload`,
    formOf('second.csv', csvOf('first', 10), { mode: 'upsert', key: 'id' }),
  )
  const appended = await as.request(
    'POST',
    `/sources/${uuid}/reload`,
    formOf('third.csv', csvOf('third', 10), { mode: 'append' }),
  )
  expect(await loot(), 'what was taken').to.deep.equal([])
  expect(read.text, 'what was read').not.to.include('TAKEN')
  const { rows } = await pool.query<{ there: boolean }>(
    `select exists (select from information_schema.columns where table_schema || '.' || table_name = $1
                    and column_name = 'planted') as there`,
    [other],
  )
  if (rows[0]!.there) {
    const { rows: told } = await pool.query(`select from ${other} where planted like '%@%'`)
    expect(told, 'addresses in the table').to.deep.equal([])
  }
  for (const { status, body, text } of [upsert, appended]) {
    expect([status, body.code], text).to.deep.equal([409, 'SourceInUseException'])
  }
  expect(read.status, read.text).to.be.oneOf([200, 409])
  const home = `enterprise_${people.enterprise.id}`
  await pool.query(`drop function ${schema}.taken() cascade;
    alter table if exists ${home}.moved_away rename to ${tableName};
    alter table ${other} no force row level security, disable row level security`)
}
