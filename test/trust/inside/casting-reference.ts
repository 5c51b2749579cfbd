import { expect } from 'chai'

import { expectRefused, openAnalyst } from './analyst.ts'
import type { Intrusion } from './intrusion.ts'

/** The check of a foreign key casts what refers to a row, and so runs a function of whoever made the type. */
export const castingReference: Intrusion = {
  name: 'a type with an implicit cast, and a foreign key to _row',
  async attempt(scene) {
    await using analyst = await openAnalyst(scene)
    const { run, schema, table, reload, loot } = analyst
    await run(`create type ${schema}.key as (number bigint);
      create function ${schema}.to_number(key ${schema}.key) returns bigint language plpgsql as $$ begin
        perform ${schema}.take();
        return key.number;
      end $$;
      create cast (${schema}.key as bigint) with function ${schema}.to_number(${schema}.key) as implicit;
      create table ${schema}.notes (about ${schema}.key references ${table} (_row))`)
    await run(`insert into ${schema}.notes select row(min(_row))::${schema}.key from ${table}`)
    expect(await loot(), 'taken by the check of the insert').to.deep.equal([])
    await expectRefused(analyst)
    await run(`drop table ${schema}.notes`)
    expect((await reload()).status, 'without the reference').to.equal(200)
  },
}
