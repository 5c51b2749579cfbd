import { expect } from 'chai'

import { expectRefused, openAnalyst } from './analyst.ts'
import type { Intrusion } from './intrusion.ts'

/** When a partition is detached, PostgreSQL reads what refers to it, as whoever detaches: a policy runs as them. */
export const policyOnReference: Intrusion = {
  name: 'a row policy on a referring table, on which the service is granted select',
  async attempt(scene) {
    await using analyst = await openAnalyst(scene)
    const { run, schema, table, reload } = analyst
    await run(`create table ${schema}.notes (about bigint references ${table} (_row));
      create function ${schema}.may_see() returns boolean language plpgsql as $$ begin
        perform ${schema}.take();
        return false;
      end $$;
      create policy looks on ${schema}.notes using (${schema}.may_see());
      alter table ${schema}.notes enable row level security;
      grant select on ${schema}.notes to public;
      insert into ${schema}.notes select min(_row) from ${table}`)
    await expectRefused(analyst)
    await run(`drop table ${schema}.notes`)
    expect((await reload()).status, 'without the reference').to.equal(200)
  },
}
