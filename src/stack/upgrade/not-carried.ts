import type { Queries } from '../../db/in-turn.ts'
import { quoteTable, type TableName } from '../../../pipelines/index.ts'

/** Something that people created on a table, which an upgrade of the table cannot take along. */
export interface NotCarried {
  readonly what: string
  /** The role that it belongs to. */
  readonly owner: string
  /**
   * Whether the table stays as it was because of it: left behind, it would go on showing, checking or
   * sending old rows, and nobody would notice.
   */
  readonly blocks: boolean
}

/** The table stays as an earlier version made it until these are out of the way. */
export class NotCarriedError extends Error {
  override readonly name = 'NotCarriedError'
  readonly things: readonly NotCarried[]

  constructor(table: TableName, things: readonly NotCarried[]) {
    const named = things.map(({ what, owner }) => `${what} of the role ${owner}`).join(', ')
    super(`The table ${quoteTable(table)} stays as it was, since these cannot be carried: ${named}`)
    this.things = things
  }
}

const IS_OURS = (owner: string) => `pg_has_role(${owner}, 'USAGE')`

const inFull = (oid: string) =>
  `(select format('%I.%I', n.nspname, x.relname) from pg_class x
    join pg_namespace n on n.oid = x.relnamespace where x.oid = ${oid})`

/** Only the catalogue is read: no table is locked. */
const NOT_CARRIED = `
  with of as (select to_regclass($1) as oid),
  relations as (
    select distinct c.oid, c.relkind, c.relowner, c.relnamespace
    from of join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = of.oid
    join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
    join pg_class c on c.oid = r.ev_class and c.oid <> of.oid)
  select 'the view ' || ${inFull('r.oid')} as what, pg_get_userbyid(r.relowner) as owner, true as blocks
  from relations r where r.relkind = 'v'
    and not (${IS_OURS('r.relowner')} and has_schema_privilege(r.relnamespace, 'CREATE'))
  union all
  select 'the materialised view ' || ${inFull('r.oid')}, pg_get_userbyid(r.relowner), false
  from relations r where r.relkind = 'm'
  union all
  select 'the reference ' || quote_ident(k.conname) || ' of ' || ${inFull('k.conrelid')},
         pg_get_userbyid(c.relowner), true
  from of join pg_constraint k on k.confrelid = of.oid and k.contype = 'f' and k.conparentid = 0
  join pg_class c on c.oid = k.conrelid where not ${IS_OURS('c.relowner')}
  union all
  select 'the publication ' || quote_ident(p.pubname), pg_get_userbyid(p.pubowner), true
  from of join pg_publication_rel r on r.prrelid = of.oid
  join pg_publication p on p.oid = r.prpubid where not ${IS_OURS('p.pubowner')}
  union all
  select 'the statistics ' || quote_ident(s.stxname), pg_get_userbyid(s.stxowner), false
  from of join pg_statistic_ext s on s.stxrelid = of.oid where not ${IS_OURS('s.stxowner')}
  union all
  select 'the unique index ' || ${inFull('i.indexrelid')}, pg_get_userbyid(c.relowner), false
  from of join pg_index i on i.indrelid = of.oid and i.indisunique and not i.indisprimary
  join pg_class c on c.oid = i.indexrelid
  where not exists (select from pg_attribute a where a.attrelid = of.oid and a.attname = '_row'
                    and a.attnum = any (i.indkey::smallint[]))
  order by 1`

/** What an upgrade of the table would leave behind, and what would keep it from being done. */
export async function readNotCarried(
  client: Queries,
  table: TableName,
): Promise<readonly NotCarried[]> {
  const { rows } = await client.query<NotCarried>(NOT_CARRIED, [quoteTable(table)])
  return rows
}
