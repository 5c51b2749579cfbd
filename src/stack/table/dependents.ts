import type { ClientBase } from 'pg'

import type { Message } from '../../../pipelines/index.ts'
import { tableMessages } from './table-messages.ts'
import { quoteTable, type TableName } from './table-name.ts'

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
