import type { ClientBase, Pool } from 'pg'

import type { Queries } from '../../db/in-turn.ts'
import {
  type SqlType,
  type Message,
  quoteName,
  quoteTable,
  type TableName,
  ROW_COLUMN,
} from '../../../pipelines/index.ts'
import { tableMessages } from './table-messages.ts'

/** A column as the database has it, whoever created it; the column that numbers the rows is left out. */
export interface CatalogueColumn {
  readonly column: string
  readonly position: number
  /** Null: a type that loads never use. */
  readonly sqlType: SqlType | null
  /** The type as it is written in SQL. */
  readonly type: string
  /** Null: the default collation of the type. */
  readonly collation: string | null
  /** What follows the name when the column is created. */
  readonly definition: string
  readonly isRequired: boolean
  readonly isGenerated: boolean
}

const TYPES_AS_WRITTEN: Readonly<Record<string, SqlType>> = {
  text: 'text',
  bigint: 'bigint',
  numeric: 'numeric',
  date: 'date',
  'timestamp with time zone': 'timestamptz',
  boolean: 'boolean',
  jsonb: 'jsonb',
}

/** The type of a column from PostgreSQL's name of it; null if loads never use that type. */
export const sqlTypeOf = (written: string): SqlType | null => TYPES_AS_WRITTEN[written] ?? null

/** An empty list if there is no such table. */
export async function readColumns(
  client: ClientBase,
  table: TableName,
): Promise<CatalogueColumn[]> {
  const { rows } = await client.query<{
    column: string
    position: number
    type: string
    collation: string | null
    required: boolean
    default_value: string | null
    generated: string
  }>(
    `select a.attname as column, a.attnum as position, format_type(a.atttypid, a.atttypmod) as type,
            case when a.attcollation <> t.typcollation
                 then (select quote_ident(n.nspname) || '.' || quote_ident(c.collname)
                       from pg_collation c join pg_namespace n on n.oid = c.collnamespace
                       where c.oid = a.attcollation) end as collation,
            a.attnotnull as required,
            case when a.attidentity = '' then pg_get_expr(d.adbin, d.adrelid)
                 else format('nextval(%L)', pg_get_serial_sequence($1, a.attname)) end
              as default_value,
            a.attgenerated::text as generated
     from pg_attribute a
     join pg_type t on t.oid = a.atttypid
     left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped
       and a.attname <> $2
     order by a.attnum`,
    [quoteTable(table), ROW_COLUMN],
  )
  return rows.map(({ type, collation, default_value: value, generated, ...row }) => ({
    column: row.column,
    position: row.position,
    sqlType: sqlTypeOf(type),
    type,
    collation,
    definition: [collated({ type, collation }), ...valueOf(value, generated)].join(' '),
    isRequired: row.required,
    isGenerated: generated !== '',
  }))
}

export const collated = ({ type, collation }: Pick<CatalogueColumn, 'type' | 'collation'>) =>
  collation === null ? type : `${type} collate ${collation}`

function valueOf(value: string | null, generated: string): string[] {
  if (value === null) return []
  if (generated === '') return [`default ${value}`]
  return [`generated always as (${value}) ${generated === 'v' ? 'virtual' : 'stored'}`]
}

export async function isThere(client: Queries, table: TableName): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    'select to_regclass($1) is not null as there',
    [quoteTable(table)],
  )
  return rows[0]!.there
}

/** An index or a constraint: its name and its definition. */
export interface Attachment {
  readonly name: string
  readonly definition: string
}

/**
 * All indexes except the one on the row numbers; the definition is what follows the table's name. An index may have the
 * name of the table in its own, and what follows it there would be run.
 */
export async function readIndexes(client: ClientBase, table: TableName): Promise<Attachment[]> {
  const { rows } = await client.query<{ name: string; unique: boolean; definition: string }>(
    `select c.relname as name, i.indisunique as unique,
            substr(pg_get_indexdef(i.indexrelid), 1 + length(
              format('CREATE %sINDEX %I ON %s%I.%I ', case when i.indisunique then 'UNIQUE ' end, c.relname,
                     case c.relkind when 'I' then 'ONLY ' end, $2::text, $3::text))) as definition
     from pg_index i
     join pg_class c on c.oid = i.indexrelid
     where i.indrelid = to_regclass($1) and not i.indisprimary
     order by c.relname`,
    [quoteTable(table), table.schema, table.table],
  )
  return rows.map(({ name, unique, definition }) => ({
    name,
    definition: `${unique ? 'unique ' : ''}${definition}`,
  }))
}

export function createIndex(table: TableName, { definition }: Attachment, name?: string): string {
  const unique = definition.startsWith('unique ') ? 'unique ' : ''
  const called = name === undefined ? '' : `${quoteName(name)} `
  return `create ${unique}index ${called}on ${quoteTable(table)} ${definition.slice(unique.length)}`
}

/** Checks and references to other people's tables, which the rows have to satisfy. */
export async function readConstraints(client: ClientBase, table: TableName): Promise<Attachment[]> {
  const { rows } = await client.query<Attachment>(
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = to_regclass($1) and contype in ('c', 'f') and conparentid = 0
     order by contype, conname`,
    [quoteTable(table)],
  )
  return rows
}

/**
 * Whether the schema already has something with this name: a table, a view, or a type, since every
 * table comes with a type of its name. Array types do not count: PostgreSQL renames them when they
 * are in the way.
 */
export async function isNameTaken(pool: Pool, { schema, table }: TableName): Promise<boolean> {
  const { rows } = await pool.query<{ taken: boolean }>(
    `select exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
                    where n.nspname = $1 and c.relname = $2)
         or exists (select from pg_type t join pg_namespace n on n.oid = t.typnamespace
                    where n.nspname = $1 and t.typname = $2 and t.typcategory <> 'A') as taken`,
    [schema, table],
  )
  return rows[0]!.taken
}

/** The default of a column has no name, so a message describes it. */
type DependentName = string | Message

/** What others have built on a table or a column: views, indexes, constraints, publications. */
export interface Dependents {
  readonly count: number
  /** Only those in the table's own schema: the names of others must not be shown. */
  readonly named: readonly DependentName[]
}

/**
 * Everything that PostgreSQL knows to depend on the table, except what every table has: its own
 * key, the partitions of its loads, NOT NULL. A rule counts as its view.
 */
const DEPENDENTS = `
  select distinct case when d.refclassid = 'pg_class'::regclass then d.refobjsubid end as position, found.classid, found.objid,
         case when place.nspname = $2
              then coalesce(c.relname::text, k.conname::text, t.tgname::text, p.polname::text,
                            s.stxname::text, f.proname::text) end as name,
         place.nspname = $2 and a.oid is not null as "isDefault",
         found.classid = 'pg_publication_rel'::regclass or coalesce(c.relkind in ('i', 'I'), false) as "goesAlong"
  from (
    select 'pg_class'::regclass as classid, t.oid as objid from pg_class t where t.oid = to_regclass($1)
    union all
    select 'pg_type'::regclass, unnest(array[row.oid, row.typarray])
    from pg_class t join pg_type row on row.oid = t.reltype where t.oid = to_regclass($1)) used
  join pg_depend d on d.refclassid = used.classid and d.refobjid = used.objid
  left join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
  cross join lateral (
    select case when r.oid is null then d.classid else 'pg_class'::regclass end as classid,
           coalesce(r.ev_class, d.objid) as objid) found
  left join pg_class c on found.classid = 'pg_class'::regclass and c.oid = found.objid
  left join pg_constraint k on found.classid = 'pg_constraint'::regclass and k.oid = found.objid
  left join pg_trigger t on found.classid = 'pg_trigger'::regclass and t.oid = found.objid
  left join pg_policy p on found.classid = 'pg_policy'::regclass and p.oid = found.objid
  left join pg_statistic_ext s
    on found.classid = 'pg_statistic_ext'::regclass and s.oid = found.objid
  left join pg_proc f on found.classid = 'pg_proc'::regclass and f.oid = found.objid
  left join pg_attrdef a on found.classid = 'pg_attrdef'::regclass and a.oid = found.objid
  left join pg_class owner
    on owner.oid = coalesce(nullif(k.conrelid, 0), t.tgrelid, p.polrelid, a.adrelid)
  left join pg_namespace place
    on place.oid = coalesce(owner.relnamespace, c.relnamespace, s.stxnamespace, f.pronamespace)
  where found.objid <> d.refobjid
    and not (coalesce(c.relispartition, false) and place.nspname = $2 || '_loads')
    and not coalesce(t.tgisinternal, false)
    and not (k.oid is not null and (k.contype in ('n', 'p') or k.conparentid <> 0))
    and (d.deptype = 'n' or d.deptype = 'a'
         or d.deptype = 'i' and found.classid = 'pg_rewrite'::regclass)`

interface Found {
  /** The number of the column; 0: the table as a whole; null: the type of its rows. */
  readonly position: number | null
  readonly name: string | null
  /** The default of a column has no name. */
  readonly isDefault: boolean | null
  /** An index or a publication of the table means nothing without it. */
  readonly goesAlong: boolean
}

async function find(client: ClientBase, table: TableName): Promise<Found[]> {
  const { rows } = await client.query<Found>(DEPENDENTS, [quoteTable(table), table.schema])
  return rows
}

/** By the number of a column. Whatever uses the row type of the table uses every column. */
export async function dependentsOfColumns(
  client: ClientBase,
  table: TableName,
): Promise<(position: number) => Dependents> {
  const found = await find(client, table)
  return (column) =>
    counted(found.filter(({ position }) => position === column || position === null))
}

/**
 * What stands in the way of dropping it, whether it depends on a column or not: a count of the rows, the row
 * type. Its indexes and publications do not; they go with it.
 */
export async function dependentsOfTable(client: ClientBase, table: TableName): Promise<Dependents> {
  const { rows } = await client.query<Found>(
    `select distinct on (classid, objid) * from (${DEPENDENTS}) found
     where not "goesAlong" order by classid, objid, name`,
    [quoteTable(table), table.schema],
  )
  return counted(rows)
}

function counted(found: readonly Found[]): Dependents {
  const named = found.flatMap(({ name }) => (name === null ? [] : [name])).toSorted()
  const defaults = found.filter(({ isDefault }) => isDefault === true)
  return { count: found.length, named: [...named, ...defaults.map(() => tableMessages.aDefault())] }
}

/** “3 objects depend on it, among them a, b” */
export const describeDependents = ({ count, named }: Dependents): Message =>
  tableMessages.dependents({ count, named })
