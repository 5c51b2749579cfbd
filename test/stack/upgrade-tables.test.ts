import { expect } from 'chai'
import type { Pool } from 'pg'

import { migrate } from '../../src/db/migrate.ts'
import { Leases } from '../../src/stack/leases.ts'
import { foreseeUpgrade } from '../../src/stack/upgrade/foresee-upgrade.ts'
import { upgradeTables } from '../../src/stack/upgrade/upgrade-tables.ts'
import { POSTGRES_ENGINE } from '../../src/stack/table/table-engine.ts'
import { findStart } from '../../src/stack/read/pages.ts'
import { NO_NODES } from '../../src/stack/citus/nodes.ts'
import { PATIENCE } from '../../src/stack/table/lock-table.ts'
import { createLogger } from '../../src/observability/logger.ts'
import { Releases } from '../../src/processes/releases.ts'
import { databaseBefore, type EarlierDatabase } from '../support/earlier-database.ts'
import { runCli } from '../support/cli.ts'
import { createFactories, TEST_ENCRYPTION_KEYS } from '../support/factories.ts'
import { addProcess } from '../support/processes.ts'

/** From then on tables have partitions. */
const MIGRATION = '0016_loads'

/** What people can have made of a table, each with how it is looked for. */
const THINGS: Readonly<Record<string, { readonly make: string; readonly find: string }>> = {
  'a grant with the grant option': {
    make: 'grant select, insert (n) on enterprise_1.clients to pg_monitor with grant option',
    find: `select where has_table_privilege('pg_monitor', 'enterprise_1.clients', 'select with grant option')
             and has_column_privilege('pg_monitor', 'enterprise_1.clients', 'n', 'insert')`,
  },
  comments: {
    make: `comment on table enterprise_1.clients is 'our clients';
           comment on column enterprise_1.clients.n is 'how many'`,
    find: `select where obj_description('enterprise_1.clients'::regclass) = 'our clients'
             and col_description('enterprise_1.clients'::regclass, 3) = 'how many'`,
  },
  'an index': {
    make: `create index by_name on enterprise_1.clients (lower(nom)) where nom <> ''`,
    find: `select from pg_index i where i.indexrelid = 'enterprise_1.by_name'::regclass and i.indisvalid
             and i.indrelid = 'enterprise_1.clients'::regclass`,
  },
  'a check': {
    make: 'alter table enterprise_1.clients add constraint few check (n < 1000)',
    find: `select from pg_constraint where conrelid = 'enterprise_1.clients'::regclass
             and conname = 'few' and convalidated`,
  },
  'a view with options': {
    make: `create view enterprise_1.names with (security_barrier) as
             select nom, count(*) from enterprise_1.clients group by nom;
           create view public.names_of_names as select nom from enterprise_1.names;
           grant select on enterprise_1.names to pg_monitor`,
    find: `select from pg_class where oid = 'enterprise_1.names'::regclass
             and reloptions = '{security_barrier=true}'
             and pg_get_viewdef(oid) ~ 'FROM enterprise_1.clients'
             and has_table_privilege('pg_monitor', oid, 'select')`,
  },
  'references to it and from it': {
    make: `create table enterprise_1.notes (about bigint references enterprise_1.clients);
           insert into enterprise_1.notes values (2);
           create table enterprise_1.numbers as select generate_series(1, 100)::bigint as n;
           alter table enterprise_1.numbers add primary key (n);
           alter table enterprise_1.clients add constraint known foreign key (n)
             references enterprise_1.numbers (n)`,
    find: `select from pg_constraint
           where contype = 'f' and convalidated and conparentid = 0
             and (confrelid = 'enterprise_1.clients'::regclass
                  or conrelid = 'enterprise_1.clients'::regclass)
           having count(*) = 2`,
  },
  'a trigger': {
    make: `create function enterprise_1.nothing() returns trigger language plpgsql
             as 'begin return new; end';
           create trigger watched before insert on enterprise_1.clients
             for each row execute function enterprise_1.nothing()`,
    find: `select from pg_trigger where tgrelid = 'enterprise_1.clients'::regclass and tgname = 'watched'`,
  },
  'row security': {
    make: `alter table enterprise_1.clients enable row level security;
           create policy some_rows on enterprise_1.clients for select to pg_monitor using (n > 1)`,
    find: `select from pg_class c join pg_policy p on p.polrelid = c.oid
           where c.oid = 'enterprise_1.clients'::regclass and relrowsecurity and polname = 'some_rows'`,
  },
  'statistics and a publication': {
    make: `create statistics enterprise_1.together on nom, n from enterprise_1.clients;
           create publication sent_on for table enterprise_1.clients (_row, nom) where (_row > 0)`,
    find: `select from pg_statistic_ext s, pg_publication_tables p
           where s.stxrelid = 'enterprise_1.clients'::regclass and s.stxname = 'together'
             and p.pubname = 'sent_on' and p.attnames = '{_row,nom}' and p.rowfilter is not null`,
  },
}

describe('the upgrade of tables that were their own rows', () => {
  let database: EarlierDatabase
  let pool: Pool
  let leases: Leases
  const log: string[] = []
  const toldOf = new Map<number, string>()
  const logger = createLogger({ level: 'info', pretty: false }, { write: (line) => log.push(line) })

  beforeEach(async () => {
    log.length = 0
    toldOf.clear()
    database = await databaseBefore(MIGRATION, 4)
    pool = database.pool
    await makeTableOfBefore()
  })
  afterEach(() => database[Symbol.asyncDispose]())

  /** A source that was created, appended to, and has a reject; and a run of a workflow. */
  async function makeTableOfBefore(): Promise<void> {
    const user = await createFactories(() => pool).user()
    await pool.query(
      `insert into sources (id, enterprise_id, name, table_name, source, source_type, status, row_count,
                            rejected_count, columns, options, created_by, loaded_at, filename,
                            object_bucket, object_path, object_size, object_sha256)
       overriding system value
       values (7, 1, 'Clients', 'clients', 'file', 'CSV', 'READY', 5, 1, $1, '{"delimiter": ";"}', $2,
               now(), 'clients.csv', 'bucket', 'sources/x', 12, 'abc')`,
      [
        JSON.stringify([
          { name: 'Nom', column: 'nom', type: 'text', sqlType: 'text' },
          { name: 'N', column: 'n', type: 'number', sqlType: 'bigint' },
        ]),
        user.id,
      ],
    )
    for (const [id, kind, mode] of [
      [11, 'creation', 'replace'],
      [12, 'reload', 'replace'],
      [13, 'reload', 'append'],
    ] as const) {
      await pool.query(
        `insert into source_loads (id, source_id, user_id, kind, mode, filename, options, dialect,
                                   rows_read, rows_loaded, rows_rejected, rows_blank, drift, report,
                                   started_at)
         overriding system value
         values ($1, 7, $2, $3, $4, 'clients.csv', '{}', '{}', 3, 3, 0, 0, '{}', '{"warnings": []}', now())`,
        [id, user.id, kind, mode],
      )
    }
    await pool.query(`
      create schema enterprise_1;
      create table enterprise_1.clients (_row bigint not null, nom text, n bigint);
      insert into enterprise_1.clients select i, 'n' || i, i * 10 from generate_series(1, 5) i;
      alter table enterprise_1.clients add constraint "rows-1234" primary key (_row);
      create table enterprise_1."rejects-7" (
        "row" bigint not null, "line" bigint, "column" text, "value" text,
        "message" text not null, "raw" text not null);
      insert into enterprise_1."rejects-7" values (6, 7, 'N', 'x', 'not a number', 'n6;x');
      alter table enterprise_1."rejects-7" add column load bigint default 13;
      create table enterprise_1."staging-01234567-89ab-cdef-0123-456789abcdef" (a int)`)
    const job = await pool.query<{ uuid: string }>(
      `insert into jobs (kind, owner_id, queued, status) values ('workflow.launch', $1, false, 'SUCCEEDED')
       returning uuid`,
      [user.id],
    )
    await pool.query(
      `with w as (insert into workflows (enterprise_id, name) values (1, 'w') returning id)
       insert into workflow_runs (uuid, workflow_id, enterprise_id, job_uuid, source_config, row_count,
                                  columns, table_name, published_at)
       select u.uuid, w.id, 1, $1, '{"sourceType": "document", "documentUuid": "d"}', 2, '[]',
              case when kept then 'run$' || replace(u.uuid::text, '-', '') end, now()
       from w, (values ('0f8f0000-0000-4000-8000-000000000001'::uuid, true),
                       ('0f8f0000-0000-4000-8000-000000000002'::uuid, false)) u (uuid, kept)`,
      [job.rows[0]!.uuid],
    )
    await pool.query(`
      create table enterprise_1."run$0f8f0000000040008000000000000001" (_row bigint primary key, a text);
      insert into enterprise_1."run$0f8f0000000040008000000000000001" values (1, 'x'), (2, 'y')`)
  }

  async function upgrade({ atStart = true } = {}): Promise<void> {
    await migrate(database.url)
    leases = new Leases({
      pool,
      presence: await addProcess(pool),
      releases: new Releases(),
      nodes: NO_NODES,
    })
    await upgradeTables(
      { pool, tableEngine: POSTGRES_ENGINE, leases, patience: PATIENCE, logger },
      { atStart, told: toldOf },
    )
  }

  const rowsOf = async (sql: string) => (await pool.query<Record<string, unknown>>(sql)).rows

  it('makes their rows the first partition, numbered as they were', async () => {
    const [before] = await rowsOf(
      `select oid::int, relfilenode::int from pg_class where relname = 'clients'`,
    )
    await upgrade()
    expect(
      await rowsOf('select _row::int, nom, n::int from enterprise_1.clients order by _row'),
    ).to.have.deep.members([1, 2, 3, 4, 5].map((i) => ({ _row: i, nom: `n${i}`, n: i * 10 })))
    expect(
      await rowsOf(
        `select c.relkind, p.oid::int, p.relfilenode::int, n.nspname as schema
         from pg_class c join pg_inherits i on i.inhparent = c.oid join pg_class p on p.oid = i.inhrelid
         join pg_namespace n on n.oid = p.relnamespace
         where c.oid = 'enterprise_1.clients'::regclass`,
      ),
    ).to.deep.equal([{ relkind: 'p', ...before, schema: 'enterprise_1_loads' }])
    const [{ id }] = (await rowsOf(`select id from generated_tables where name = 'clients'`)) as [
      { id: number },
    ]
    const client = await pool.connect()
    expect(await findStart(client, id, 3)).to.deep.equal({ after: '3', skip: 0 })
    client.release()
  })

  it('puts every load on record, and what a reload reads again', async () => {
    await upgrade()
    expect(
      await rowsOf(
        `select l.id::int, number, kind, state, object_path, source_type from loads l
         join generated_tables t on t.id = l.table_id where t.name = 'clients' order by l.id`,
      ),
    ).to.deep.equal([
      { id: 11, number: 1, kind: 'creation', state: 'gone', object_path: null, source_type: null },
      {
        id: 12,
        number: 2,
        kind: 'reload',
        state: 'current',
        object_path: 'sources/x',
        source_type: 'CSV',
      },
      { id: 13, number: 3, kind: 'reload', state: 'current', object_path: null, source_type: null },
    ])
    expect(
      await rowsOf(`select r.load::int, r.raw, r.id::int from enterprise_1_loads.rejects_1 r`),
    ).to.deep.equal([{ load: 13, raw: 'n6;x', id: 1 }])
    expect(
      await rowsOf(
        `select t.name, l.kind, l.state, t.dropped_at is null as there from workflow_runs r
         join generated_tables t on t.id = r.table_id join loads l on l.id = t.current_load_id
         order by r.uuid`,
      ),
    ).to.deep.equal([
      {
        name: 'run$0f8f0000000040008000000000000001',
        kind: 'launch',
        state: 'current',
        there: true,
      },
      { name: 'run$0f8f0000000040008000000000000002', kind: 'launch', state: 'gone', there: false },
    ])
  })

  for (const [what, { make, find }] of Object.entries(THINGS)) {
    it(`carries over ${what}`, async () => {
      await pool.query(make)
      await upgrade()
      expect(log).to.deep.equal([])
      expect(await rowsOf(find)).to.have.length(1)
    })
  }

  it('names what it cannot carry over, and carries over everything else', async () => {
    await pool.query(`
      create materialized view enterprise_1.totals as select sum(n) from enterprise_1.clients;
      alter table enterprise_1.clients add constraint of_one unique (nom);
      comment on table enterprise_1.clients is 'our clients'`)
    await upgrade()
    const told = log.map((line) => (JSON.parse(line) as { what: string }).what)
    expect(told).to.have.members(['the materialised view enterprise_1.totals', 'the index of_one'])
    expect(
      await rowsOf(`select obj_description('enterprise_1.clients'::regclass) as said`),
    ).to.deep.equal([{ said: 'our clients' }])
  })

  describe('of which another role has made something', () => {
    const other = `reporter_${process.pid}`
    const blocking = {
      'the view public.seen': `create view public.seen as select nom from enterprise_1.clients;
        alter view public.seen owner to ${other}`,
      'the reference known of public.theirs': `create table public.theirs (
          about bigint constraint known references enterprise_1.clients);
        alter table public.theirs owner to ${other}`,
      'the publication theirs_on': `create publication theirs_on for table enterprise_1.clients;
        alter publication theirs_on owner to ${other}`,
    }

    beforeEach(async () => {
      const { rows } = await pool.query<{ name: string }>('select current_database() as name')
      await pool.query(
        `create role ${other}; grant ${other} to current_user;
         grant create on database "${rows[0]!.name}" to ${other};
         grant create on schema public to ${other}`,
      )
    })
    afterEach(() =>
      pool.query(
        `grant ${other} to current_user; drop owned by ${other} cascade; drop role ${other}`,
      ),
    )

    for (const [what, make] of Object.entries(blocking)) {
      it(`leaves the table as it was, and names ${what} once`, async () => {
        await pool.query(`${make}; revoke ${other} from current_user`)
        await upgrade()
        await upgrade({ atStart: false })
        const warned = log.map((line) => (JSON.parse(line) as { msg: string }).msg)
        expect(warned).to.have.length(1)
        expect(warned[0]).to.include(`cannot be carried: ${what} of the role ${other}`)
        expect(
          await rowsOf(`select relkind from pg_class where oid = 'enterprise_1.clients'::regclass`),
        ).to.deep.equal([{ relkind: 'r' }])
        const { tables } = await foreseeUpgrade(pool)
        expect(tables).to.have.length(1)
        expect(tables[0]).to.deep.include({
          table: { schema: 'enterprise_1', table: 'clients' },
          rows: 5,
          notCarried: [{ what, owner: other, blocks: true }],
        })
      })
    }

    it('is upgraded once it may act for that role', async () => {
      await pool.query(blocking['the view public.seen'])
      await upgrade()
      expect(log).to.deep.equal([])
      expect(
        await rowsOf(`select pg_get_userbyid(relowner) as owner, pg_get_viewdef(oid) ~ 'enterprise_1.clients' as now
                      from pg_class where oid = 'public.seen'::regclass`),
      ).to.deep.equal([{ owner: other, now: true }])
    })
  })

  it('is foreseen, and nothing is changed by that', async () => {
    await pool.query(
      'create materialized view enterprise_1.totals as select sum(n) from enterprise_1.clients',
    )
    const { code, stdout, stderr } = await runCli(['upgrade', '--check'], {
      DATABASE_URL: database.url,
      AUTH_SECRET: 'x'.repeat(32),
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    })
    expect({ code, stderr }).to.deep.equal({ code: 1, stderr: '' })
    expect(stdout).to.match(
      /^\d+ migrations, 0016_loads to \d{4}_\w+, with 1 jobs on record: about 2 s/,
    )
    expect(stdout).to.include('2 tables with 7 rows get partitions: about 1 s')
    expect(stdout).to.match(
      /enterprise_1\.clients: 5 rows, 1 MB\n  the materialised view enterprise_1\.totals/,
    )
    expect(await rowsOf(`select from knex_migrations where name >= '${MIGRATION}'`)).to.deep.equal(
      [],
    )
  })

  it('is done once, by one process, and goes on where it was broken off', async () => {
    await migrate(database.url)
    // As if the process had ended after the rows were read, and before the table was changed.
    await pool.query(
      `alter table enterprise_1.clients add constraint "rows-in-range"
       check (_row >= 0 and _row < 1099511627776) not valid`,
    )
    await upgrade()
    await upgrade({ atStart: false })
    expect(await rowsOf('select from generated_tables where not is_partitioned')).to.deep.equal([])
    expect(await rowsOf('select from enterprise_1.clients')).to.have.length(5)
  })

  it('drops what loads of earlier versions have left behind', async () => {
    await upgrade()
    expect(await rowsOf(`select from pg_class where relname ~ '^staging'`)).to.deep.equal([])
  })
})
