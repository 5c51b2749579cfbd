import type { ClientBase } from 'pg'

import { LockTimeoutError, translateDatabaseError } from '../../db/database-errors.ts'
import { inTransaction } from '../../db/transaction.ts'
import { addConstraint } from '../table/switch-partitions.ts'
import { createIndex, isThere, readConstraints, readIndexes } from '../table/catalogue.ts'
import { type Partition, inRange, ROW } from '../table/partitions.ts'
import { inTries, type Patience, RECORDS_MAY_WAIT } from '../table/lock-table.ts'
import { quoteName, quoteTable, type TableName, quoteText } from '../../../pipelines/index.ts'
import { NotCarriedError, readNotCarried } from './not-carried.ts'

const IN_RANGE = quoteName('rows-in-range')

/**
 * Turns a table of an earlier version, which held its rows itself, into the first partition of a
 * partitioned table. No row is rewritten, and each is read once, while the table stays readable.
 * If interrupted, it can start again. Returns what people had created on the table that could not
 * be carried over; what would go on with old rows keeps the table as it was (`NotCarriedError`).
 */
export async function convertTable(
  client: ClientBase,
  table: TableName,
  partition: Partition,
  { patience, record }: { patience: Patience; record(): Promise<void> },
): Promise<readonly string[]> {
  await refuseLeavingBehind(client, table)
  await checkRange(client, table, partition, patience)
  let lost: string[] = []
  await inTransaction(client, async () => {
    await inTries(client, table, patience, async (lock) => {
      await client.query(lock(table))
      // Others may have made something of it while its rows were read.
      await refuseLeavingBehind(client, table)
      lost = await makePartitioned(client, table, partition)
      await client.query(RECORDS_MAY_WAIT)
    })
    await record()
  })
  return lost
}

async function refuseLeavingBehind(client: ClientBase, table: TableName): Promise<void> {
  const blocking = (await readNotCarried(client, table)).filter(({ blocks }) => blocks)
  if (blocking.length > 0) throw new NotCarriedError(table, blocking)
}

/** Without this check the rows would be read while the table is locked. */
async function checkRange(
  client: ClientBase,
  table: TableName,
  { range }: Partition,
  patience: Patience,
): Promise<void> {
  const { rows } = await client.query<{ valid: boolean }>(
    `select convalidated as valid from pg_constraint
     where conrelid = to_regclass($1) and conname = 'rows-in-range'`,
    [quoteTable(table)],
  )
  if (rows.length === 0) {
    await inTransaction(client, () =>
      inTries(client, table, patience, async (lock) => {
        await client.query(lock(table))
        await client.query(
          `alter table ${quoteTable(table)} add constraint ${IN_RANGE} check (${inRange(range)}) not valid`,
        )
      }),
    )
  }
  if (rows[0]?.valid === true) return
  await client.query(`alter table ${quoteTable(table)} validate constraint ${IN_RANGE}`)
}

async function makePartitioned(
  client: ClientBase,
  table: TableName,
  { name, range }: Partition,
): Promise<string[]> {
  const objects = await readAttachedObjects(client, table, name)
  const indexes = await readIndexes(client, table)
  const constraints = (await readConstraints(client, table)).filter(
    (constraint) => quoteName(constraint.name) !== IN_RANGE,
  )
  const passing = { schema: table.schema, table: `${name.table}-to-be` }
  await client.query(
    `alter table ${quoteTable(table)} rename to ${quoteName(passing.table)};
     alter table ${quoteTable(passing)} set schema ${quoteName(name.schema)};
     alter table ${quoteTable({ ...passing, schema: name.schema })} rename to ${quoteName(name.table)};
     alter table ${quoteTable(name)} set (autovacuum_enabled = false, toast.autovacuum_enabled = false);
     create table ${quoteTable(table)} (
       like ${quoteTable(name)} including defaults including generated, primary key (${ROW}))
     partition by range (${ROW})`,
  )
  await client.query(
    `alter table ${quoteTable(table)} attach partition ${quoteTable(name)}
     for values from (${range.from}) to (${range.to})`,
  )
  const lost: string[] = []
  for (const index of indexes) {
    const create = [createIndex(table, index, index.name)]
    await carry(client, { what: `the index ${index.name}`, statements: create }, lost)
  }
  for (const constraint of constraints) {
    const add = [addConstraint(table, constraint)]
    await carry(client, { what: `the constraint ${constraint.name}`, statements: add }, lost)
  }
  for (const object of objects) await carry(client, object, lost)
  return lost
}

/** An object that cannot be carried over stays on the old table and does not stop the others. */
async function carry(
  client: ClientBase,
  { what, statements }: { what: string; statements: readonly string[] },
  lost: string[],
): Promise<void> {
  if (statements.length === 0) {
    lost.push(what)
    return
  }
  await client.query('savepoint thing')
  try {
    for (const statement of statements) await client.query(statement)
  } catch (error) {
    if (translateDatabaseError(error) instanceof LockTimeoutError) throw error
    await client.query('rollback to savepoint thing')
    lost.push(what)
  }
}

/**
 * In earlier versions the rejects of a table were next to it, with a different name for each kind
 * of table.
 */
export async function convertRejects(
  client: ClientBase,
  before: TableName,
  after: TableName,
  currentLoadId: number,
): Promise<void> {
  if (!(await isThere(client, before))) return
  const moved = { schema: after.schema, table: before.table }
  await client.query(
    `alter table ${quoteTable(before)} set schema ${quoteName(after.schema)};
     alter table ${quoteTable(moved)} rename to ${quoteName(after.table)};
     alter table ${quoteTable(after)} add column if not exists load bigint;
     update ${quoteTable(after)} set load = ${currentLoadId} where load is null;
     alter table ${quoteTable(after)}
       alter column load drop default, alter column load set not null,
       add column id bigint generated always as identity primary key;
     create index on ${quoteTable(after)} (load)`,
  )
}

/**
 * Something that people created on a table: its name, and the statement that creates it on another
 * table of that name.
 */
interface AttachedObject {
  readonly what: string
  readonly statements: readonly string[]
}

/**
 * Lists everything that people created on a table, as statements that create it on the table that
 * takes over its name. Called before the renaming: PostgreSQL writes definitions with the current
 * names.
 */
async function readAttachedObjects(
  client: ClientBase,
  table: TableName,
  /** The name that the old table will have then. */
  old: TableName,
): Promise<AttachedObject[]> {
  const { rows: paths } = await client.query<{ path: string }>(
    `select current_setting('search_path') as path`,
  )
  const { path } = paths[0]!
  // This makes PostgreSQL write every name in full.
  await client.query(`select set_config('search_path', '', true)`)
  const read = async (sql: string): Promise<AttachedObject[]> => {
    const { rows } = await client.query<{ what: string; statements: string[] }>(sql, [
      quoteTable(table),
      quoteTable(old),
    ])
    return rows
  }
  try {
    return [
      ...(await grantsOf(client, table)),
      ...(await commentsOf(client, table)),
      ...(await read(REFERENCES)),
      ...(await read(VIEWS)),
      ...(await read(TRIGGERS)),
      ...(await read(POLICIES)),
      ...(await read(STATISTICS)),
      ...(await read(PUBLICATIONS)),
      ...(await read(MATERIALISED_VIEWS)),
    ]
  } finally {
    await client.query(`select set_config('search_path', $1, true)`, [path])
  }
}

/** They keep their names, options and permissions; their definitions are replaced. */
const VIEWS = `
  select distinct 'the view ' || v.oid::regclass as what,
         array['create or replace view ' || v.oid::regclass
           || coalesce(' with (' || array_to_string(v.reloptions, ', ') || ')', '')
           || ' as ' || pg_get_viewdef(v.oid)] as statements
  ${dependingOfKind('v')}`

/** Recreating it would mean refilling it, and when to do that is its owner's decision. */
const MATERIALISED_VIEWS = `
  select distinct 'the materialised view ' || v.oid::regclass as what, array[]::text[] as statements
  ${dependingOfKind('m')}`

function dependingOfKind(kind: 'v' | 'm'): string {
  return `from pg_depend d
    join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
    join pg_class v on v.oid = r.ev_class and v.relkind = '${kind}'
    where d.refclassid = 'pg_class'::regclass and d.refobjid = to_regclass($1) and $2::text is not null`
}

const REFERENCES = `
  select 'the reference ' || quote_ident(conname) || ' of ' || conrelid::regclass as what,
         array[format('alter table %s drop constraint %I', conrelid::regclass, conname),
               format('alter table %s add constraint %I %s', conrelid::regclass, conname,
                      pg_get_constraintdef(oid))] as statements
  from pg_constraint
  where contype = 'f' and confrelid = to_regclass($1) and conparentid = 0 and $2::text is not null`

const TRIGGERS = `
  select 'the trigger ' || quote_ident(tgname) as what,
         array[format('drop trigger %I on %s', tgname, $2::text), pg_get_triggerdef(oid)] as statements
  from pg_trigger where tgrelid = to_regclass($1) and not tgisinternal`

const POLICIES = `
  select 'row security' as what,
         array['alter table ' || $1 || ' enable row level security']
           || case when relforcerowsecurity
                   then array['alter table ' || $1 || ' force row level security'] else '{}' end
           as statements
  from pg_class where oid = to_regclass($1) and relrowsecurity and $2::text is not null
  union all
  select 'the policy ' || quote_ident(p.policyname),
         array[format('create policy %I on %s as %s for %s to %s', p.policyname, $1::text,
                      p.permissive, p.cmd,
                      (select string_agg(case when r = 'public' then r else quote_ident(r) end, ', ')
                       from unnest(p.roles) r))
           || coalesce(' using (' || p.qual || ')', '')
           || coalesce(' with check (' || p.with_check || ')', '')]
  from pg_policies p join pg_class c on c.oid = to_regclass($1)
  join pg_namespace n on n.oid = c.relnamespace
  where p.schemaname = n.nspname and p.tablename = c.relname`

const STATISTICS = `
  select 'the statistics ' || quote_ident(stxname) as what,
         array[format('drop statistics %I.%I', n.nspname, stxname),
               pg_get_statisticsobjdef(s.oid)] as statements
  from pg_statistic_ext s join pg_namespace n on n.oid = s.stxnamespace
  where stxrelid = to_regclass($1) and $2::text is not null`

/** Subscribers know the table, not its partitions. */
const PUBLICATIONS = `
  select 'the publication ' || quote_ident(p.pubname) as what,
         array[format('alter publication %I drop table %s', p.pubname, $2::text),
               format('alter publication %I set (publish_via_partition_root)', p.pubname),
               format('alter publication %I add table %s', p.pubname, $1::text)
                 || coalesce(' (' || (select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
                                      from unnest(r.prattrs) at join pg_attribute a
                                        on a.attrelid = r.prrelid and a.attnum = at) || ')', '')
                 || coalesce(' where (' || pg_get_expr(r.prqual, r.prrelid) || ')', '')] as statements
  from pg_publication_rel r join pg_publication p on p.oid = r.prpubid
  where r.prrelid = to_regclass($1)`

async function grantsOf(client: ClientBase, table: TableName): Promise<AttachedObject[]> {
  const { rows } = await client.query<{ who: string; right: string; grantable: boolean }>(
    `with granted as (
       select null::name as on_column, (aclexplode(relacl)).* from pg_class where oid = to_regclass($1)
       union all
       select attname, (aclexplode(attacl)).* from pg_attribute
       where attrelid = to_regclass($1) and not attisdropped)
     select case when grantee = 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end as who,
            privilege_type || case when on_column is null then '' else format(' (%I)', on_column) end as right,
            is_grantable as grantable
     from granted g
     where grantee <> (select relowner from pg_class where oid = to_regclass($1))`,
    [quoteTable(table)],
  )
  return rows.map(({ who, right, grantable }) => ({
    what: `the right ${right} of ${who}`,
    statements: [
      `grant ${right} on ${quoteTable(table)} to ${who}${grantable ? ' with grant option' : ''}`,
    ],
  }))
}

async function commentsOf(client: ClientBase, table: TableName): Promise<AttachedObject[]> {
  const { rows } = await client.query<{ column: string | null; comment: string }>(
    `select a.attname as column, d.description as comment
     from pg_description d
     left join pg_attribute a on a.attrelid = d.objoid and a.attnum = d.objsubid and d.objsubid > 0
     where d.classoid = 'pg_class'::regclass and d.objoid = to_regclass($1)`,
    [quoteTable(table)],
  )
  return rows.map(({ column, comment }) => {
    const on =
      column === null
        ? `table ${quoteTable(table)}`
        : `column ${quoteTable(table)}.${quoteName(column)}`
    return {
      what: `the comment on ${on}`,
      statements: [`comment on ${on} is ${quoteText(comment)}`],
    }
  })
}
