import { expect } from 'chai'

import { formOf } from '../../support/uploads.ts'
import { csvOf } from '../tools/csv-of.ts'
import { type Analyst, openAnalyst } from './analyst.ts'
import type { Intrusion } from './intrusion.ts'

/**
 * What is asked or done when a row is deleted runs as whoever owns the table that refers to it, which is harmless; but
 * it runs in a session of the service, and says for the rest of it where the service finds its functions.
 */
const planted = ({ schema }: Analyst) => `
  create function ${schema}.lead_astray() returns void language sql as
    $$ select set_config('search_path', '${schema}, pg_catalog, public', false) $$;
  create function ${schema}.clock_timestamp() returns timestamptz language plpgsql as $$ begin
    perform ${schema}.take();
    return pg_catalog.clock_timestamp();
  end $$`

const WAYS: readonly { name: string; plant: (analyst: Analyst) => string }[] = [
  {
    name: 'the cast of a foreign key',
    plant: ({ schema, table }) => `
      create type ${schema}.key as (number bigint);
      create function ${schema}.to_number(key ${schema}.key) returns bigint language plpgsql as $$ begin
        perform ${schema}.lead_astray();
        return key.number;
      end $$;
      create cast (${schema}.key as bigint) with function ${schema}.to_number(${schema}.key) as implicit;
      create table ${schema}.notes (about ${schema}.key references ${table} (_row) on delete cascade);
      insert into ${schema}.notes select row(_row)::${schema}.key from ${table}`,
  },
  {
    name: 'a trigger on rows that go along',
    plant: ({ schema, table }) => `
      create table ${schema}.notes (about bigint references ${table} (_row) on delete cascade);
      create function ${schema}.fire() returns trigger language plpgsql as $$ begin
        perform ${schema}.lead_astray();
        return old;
      end $$;
      create trigger planted before delete on ${schema}.notes
        for each row execute function ${schema}.fire();
      insert into ${schema}.notes select _row from ${table}`,
  },
]

export const REFERENCES_OF_AN_UPSERT: readonly Intrusion[] = WAYS.map(({ name, plant }) => ({
  name: `by a row that an upsert replaces: ${name}`,
  async attempt(scene) {
    await using analyst = await openAnalyst(scene)
    await analyst.run(planted(analyst))
    await analyst.run(plant(analyst))
    const { status, body, text } = await scene.world.client
      .as(scene.world.people.admin)
      .request(
        'POST',
        `/sources/${analyst.sourceUuid}/reload`,
        formOf('second.csv', csvOf('first', 10), { mode: 'upsert', key: 'id' }),
      )
    expect(await analyst.loot(), 'what was taken').to.deep.equal([])
    expect([status, body.code], text).to.deep.equal([409, 'SourceInUseException'])
  },
}))
