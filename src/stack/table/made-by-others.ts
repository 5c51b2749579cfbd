import type { ClientBase } from 'pg'

import { quoteText, quoteTable, type TableName } from '../../../pipelines/index.ts'
import { SourceInUseException } from '../../errors/index.ts'
import type { GeneratedTable } from '../stack.ts'
import { inTries, type Patience } from './lock-table.ts'
import type { TableEngine } from './table-engine.ts'
import { tableMessages } from './table-messages.ts'
import { loadsSchemaOf } from './enterprise-schemas.ts'
import { isThere } from './catalogue.ts'
import type { Partition } from './partitions.ts'
import type { Queries } from '../../db/in-turn.ts'
import {
  AlteredTableError,
  ConstraintViolationError,
  DependentObjectsError,
  ForeignKeyViolationError,
  MissingTableError,
  NotPermittedError,
  TooManyColumnsError,
  translateDatabaseError,
  UnsupportedError,
} from '../../db/database-errors.ts'

/** Whoever is neither the service nor a superuser: what they wrote runs as themselves alone. */
const isOfOthers = (owner: string): string =>
  `exists (
  select from pg_roles author where author.oid = ${owner} and not author.rolsuper and author.rolname <> current_user)`

const typesOfOthers = (
  column: string,
): string => `${column}.atttypid >= ${FIRST_OF_PEOPLE} and exists (
  select from pg_type made where made.oid = ${column}.atttypid and ${isOfOthers('made.typowner')})`

/**
 * PostgreSQL's own functions that do more than to compute a value: some run a query that is written as text. All of
 * them are volatile or make XML; these are the volatile ones that are in defaults of honest people.
 */
const HARMLESS = [
  'nextval',
  'random',
  'gen_random_uuid',
  'uuidv4',
  'uuidv7',
  'clock_timestamp',
  'timeofday',
]
  .map(quoteText)
  .join(', ')

/** What people wrote as text is run by these as well, or is looked up by them as the name of a type. */
const RUNS_TEXT = 'to_xml|^pg_input_'

/** SQL for what cannot be read without running what others have written: a view, a policy, a type. */
const unreadable = (oids: string): string => `
  select at.oid, c.relname::text as name
  from unnest(${oids}) at (oid) left join pg_class c on c.oid = at.oid
  where at.oid is not null and (c.relkind is null or c.relkind not in ('r', 'p') or row_security_active(at.oid))
  union all
  select a.attrelid, a.attname::text from pg_attribute a
  where a.attrelid = any (${oids}) and a.attnum > 0 and not a.attisdropped and ${typesOfOthers('a')}`

/**
 * SQL for all that runs as whoever writes to the tables, and that others have written. Nobody can tell who attached it:
 * a table has one owner, as whom a foreign key makes others' casts run. Of some types an expression says no more than
 * their number: PostgreSQL does not record that it depends on them. With `offset`, what things depend on is looked up
 * for each of the few there are; without, all is read that any table of the database depends on.
 */
const attached = (oids: string): string => `
  with things (oid, name, classid, objid, tree) as (
    select tgrelid, tgname::text, 'pg_trigger'::regclass, oid, tgqual::text
    from pg_trigger where tgrelid = any (${oids}) and not tgisinternal
    union all
    select d.adrelid, a.attname::text, 'pg_attrdef'::regclass, d.oid, d.adbin::text
    from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    where d.adrelid = any (${oids})
    union all
    select conrelid, conname::text, 'pg_constraint'::regclass, oid, conbin::text
    from pg_constraint where conrelid = any (${oids}) and contype = 'c'
    union all
    select i.indrelid, c.relname::text, 'pg_class'::regclass, c.oid, concat(i.indexprs::text, i.indpred::text)
    from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = any (${oids}))
  select ev_class as oid, rulename::text as name from pg_rewrite where ev_class = any (${oids})
  union all
  select partrelid, c.relname::text
  from pg_partitioned_table join pg_class c on c.oid = partrelid
  where partrelid = any (${oids}) and partexprs is not null
  union all
  select k.conrelid, k.conname::text
  from pg_constraint k
  join pg_class p on p.oid = k.confrelid
  join pg_attribute a on a.attrelid = p.oid and a.attnum = any (k.confkey)
  where k.conrelid = any (${oids}) and k.contype = 'f'
    and (${typesOfOthers('a')} or p.relforcerowsecurity and ${isOfOthers('p.relowner')})
  union all
  select oid, name from things where exists (
    select from pg_depend d
    left join pg_proc p on d.refclassid = 'pg_proc'::regclass and p.oid = d.refobjid
    left join pg_type t on d.refclassid = 'pg_type'::regclass and t.oid = d.refobjid
    left join pg_operator o on d.refclassid = 'pg_operator'::regclass and o.oid = d.refobjid
    where d.classid = things.classid and d.objid = things.objid and d.refobjid >= ${FIRST_OF_PEOPLE}
      and ${isOfOthers('coalesce(p.proowner, t.typowner, o.oprowner)')} offset 0)
    or exists (
    select from regexp_matches(tree, ':(?:funcid|opfuncid) (\\d+)', 'g') cited
    join pg_proc p on p.oid = cited[1]::oid
    where p.oid < ${FIRST_OF_PEOPLE}
      and (p.proname ~ '${RUNS_TEXT}' or p.provolatile = 'v' and p.proname not in (${HARMLESS})))
    or exists (
    select from regexp_matches(tree, ':\\w*(?:type|typeid|typid) (\\d+)', 'gi') cited
    join pg_type t on t.oid = cited[1]::oid and t.oid >= ${FIRST_OF_PEOPLE}
    where ${isOfOthers('t.typowner')})`

/** A query for the names of what forbids to write to the tables. They are looked for once, and not for each kind of thing. */
function whatForbidsWriting(tables: string): string {
  const given = '(select oids from given)::oid[]'
  return `with given (oids) as materialized (select array(select oid from ${tables} parts))
    select distinct name from (${unreadable(given)} union all (${attached(given)})) found order by name`
}

const regclass = (name: TableName): string => `to_regclass(${quoteText(quoteTable(name))})::oid`

/** SQL for these tables, and all parts below them: rows of a part may lie in parts of its own. */
const withParts = (oids: string): string => `(
  with recursive parts (oid) as (
    select oid from (${oids}) given
    union
    select inhrelid from parts join pg_inherits on inhparent = parts.oid)
  select oid from parts where oid is not null)`

const arrayOf = (names: readonly TableName[]): string =>
  `array[${names.map(regclass).join(', ')}]::oid[]`

/** A query for the names of what forbids to read the tables, if anything does. */
export const whatForbidsReading = (names: readonly TableName[]): string =>
  `select distinct name from (${unreadable(arrayOf(names))}) found order by name`

interface Forbidding {
  readonly name: string | null
}

/** Refuses, given the answer to that query. */
export function refuseAttached({ table }: TableName, found: readonly Forbidding[]): void {
  if (found.length === 0) return
  const named = found.map(({ name }) => name ?? table)
  throw new SourceInUseException(tableMessages.attachedByOthers({ table, named }))
}

/** Locks the tables, so that nobody puts something else in their place, and refuses to read what others have. */
export async function requireReadable(
  client: Queries,
  names: readonly [TableName, ...TableName[]],
): Promise<void> {
  const all = [...new Map(names.map((name) => [quoteTable(name), name])).values()]
  await client.query(`lock table only ${all.map(quoteTable).join(', only ')} in access share mode`)
  const { rows } = await client.query<Forbidding>(whatForbidsReading(all))
  refuseAttached(names[0], rows)
}

/**
 * The same of a table beside the one with the rows, and for whoever writes to it. Returns whether it is there.
 */
export async function isOurs(
  client: Queries,
  name: TableName,
  use: 'read' | 'write',
): Promise<boolean> {
  if (!(await isThere(client, name))) return false
  const mode = use === 'read' ? 'access share' : 'row exclusive'
  await client.query(`lock table only ${quoteTable(name)} in ${mode} mode`)
  const { rows } = await client.query<Forbidding>(
    whatForbidsWriting(withParts(`select ${regclass(name)} as oid`)),
  )
  refuseAttached(name, rows)
  return true
}

/**
 * Refuses to change the table if that ran what others have attached to it, or to one of its parts, whether it shows
 * them or not. From here to the end of the transaction nobody attaches anything more.
 */
export async function refuseToWrite(
  client: ClientBase,
  { id, enterpriseId, name, currentLoadId }: GeneratedTable,
  engine: TableEngine,
  patience: Patience,
): Promise<void> {
  if (currentLoadId === null) return
  const tables = withParts(`select ${regclass(name)} as oid
    union select to_regclass(format('%I.%I', ${quoteText(loadsSchemaOf(enterpriseId))}, l.name))::oid
    from load_tables l where l.table_id = ${id}`)
  // A cluster lets nobody make triggers or rules of a distributed table, and would ask all of its nodes for the lock.
  if (engine.name === 'postgres') {
    await inTries(client, name, patience, async () => {
      // By their names: the oid of what housekeeping has dropped meanwhile would be written as a number.
      await client.query(`do $lock$ declare part text; begin
        for part in
          select format('%I.%I', n.nspname, c.relname)
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where c.oid in (select oid from ${tables} parts) order by c.oid
        loop
          begin
            execute format('lock table only %s in row exclusive mode', part);
          exception when undefined_table or wrong_object_type then null; end;
        end loop; end $lock$; set local lock_timeout to default`)
    })
  }
  const { rows } = await client.query<Forbidding>(whatForbidsWriting(tables))
  refuseAttached(name, rows)
}

/** A code of our own: PostgreSQL has none that begins like this. */
const REFUSED = 'AS001'

/** What PostgreSQL numbers from here on was made by people. */
const FIRST_OF_PEOPLE = 16_384

interface Referring {
  /** The role that the table belongs to. */
  readonly owner: string
  /** Those of its own schema: the names of others are not told. */
  readonly tables: readonly string[]
  readonly count: number
}

/** The rows that refer go along with those of the table, or are changed. */
const CHANGES_ROWS = `k.confdeltype not in ('a', 'r')`

/**
 * A statement that fails if somebody refers to the table who could make what follows the removal of its rows run what
 * they like. The check of a detach runs as the service; what is asked or done when a row is deleted runs as the owner
 * of the table that refers, but in a session of the service, in which they could say where names are looked up. That
 * is whoever owns a table that refers to it without being the owner of this one, the service or a superuser; whoever
 * forces policies on it or brings a type, which may have casts; and whoever has attached something to a table whose
 * rows go along. Under the lock of the table no reference is added any more.
 */
export const refuseReferences = (table: TableName, partitions: readonly TableName[]): string =>
  `do $references$ declare
    keys oid[]; changed oid[]; locked oid[] := '{}'; part text; referring jsonb;
    owner oid := (select relowner from pg_class where oid = ${regclass(table)});
  begin
    loop
      with recursive refers (oid, key, changes) as (
        select k.conrelid, k.oid, ${CHANGES_ROWS}
        from pg_constraint k
        where k.contype = 'f' and k.confrelid = any (${arrayOf([table, ...partitions])})
        union
        select k.conrelid, k.oid, ${CHANGES_ROWS} or k.confupdtype not in ('a', 'r')
        from refers join pg_constraint k on k.contype = 'f' and k.confrelid = refers.oid
        where refers.changes)
      select coalesce(array_agg(key), '{}'), coalesce(array_agg(oid) filter (where changes), '{}')
      into keys, changed from refers;
      exit when changed <@ locked;
      for part in
        select r.oid::regclass::text from pg_class r join pg_roles o on o.oid = r.relowner
        where r.oid = any (changed) and not o.rolsuper and pg_has_role(o.oid, 'USAGE') order by r.oid
      loop
        execute format('lock table only %s in row exclusive mode', part);
      end loop;
      locked := changed;
    end loop;
    select jsonb_build_object(
      'owner', owner::regrole::text, 'count', count(distinct r.oid),
      'tables', coalesce(jsonb_agg(distinct r.relname) filter (where n.nspname = ${quoteText(table.schema)}), '[]'))
    into referring
    from pg_constraint k
    join pg_class r on r.oid = k.conrelid
    join pg_namespace n on n.oid = r.relnamespace
    join pg_roles o on o.oid = r.relowner
    where k.oid = any (keys) and (
      not o.rolsuper and r.relowner not in (owner, current_user::regrole)
      or r.relforcerowsecurity and ${isOfOthers('r.relowner')}
      or exists (
        select from pg_attribute a
        where a.attrelid = r.oid and a.attnum = any (k.conkey) and ${typesOfOthers('a')})
      or exists (select from (${attached('changed')}) attached where attached.oid = r.oid));
    if (referring ->> 'count')::integer > 0 then
      raise exception 'a table of others refers to it' using errcode = '${REFUSED}', detail = referring::text;
    end if;
  end $references$`

/** The same before rows are deleted, for which no lock is needed that keeps readers out. */
export async function refuseToRemoveRows(
  client: ClientBase,
  table: TableName,
  partitions: readonly Partition[],
): Promise<void> {
  try {
    await client.query(
      refuseReferences(
        table,
        partitions.map(({ name }) => name),
      ),
    )
  } catch (error) {
    throw orReferredTo(error, table)
  }
}

/** The refusal of that statement, as what is answered; any other error stays what it is. */
export function orReferredTo(error: unknown, { table }: TableName): unknown {
  const { code, detail } = error as { code?: string; detail?: string }
  if (code !== REFUSED || detail === undefined) return error
  const referring = JSON.parse(detail) as Referring
  return new SourceInUseException(tableMessages.referredToByOthers({ table, ...referring }), {
    cause: error,
  })
}

/**
 * Objects that others created on a table may forbid a change to it. PostgreSQL's own message may
 * name objects of another enterprise, so it is not passed on.
 */
export async function orInUse<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    throw inUse(error) ?? error
  }
}

const FORBIDDEN = [
  [DependentObjectsError, tableMessages.othersDepend],
  [ForeignKeyViolationError, tableMessages.referenceForbids],
  [NotPermittedError, tableMessages.notPermitted],
  [AlteredTableError, tableMessages.othersForbid],
  [MissingTableError, tableMessages.othersForbid],
  [UnsupportedError, tableMessages.othersForbid],
  [TooManyColumnsError, tableMessages.columnsUsedUp],
  [ConstraintViolationError, tableMessages.conditionForbids],
] as const

function inUse(cause: unknown): Error | undefined {
  const known = translateDatabaseError(cause)
  const [, why] = FORBIDDEN.find(([kind]) => known instanceof kind) ?? []
  return why && new SourceInUseException(why(), { cause })
}
