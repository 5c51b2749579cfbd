import { quoteText } from '../../../pipelines/index.ts'
import { SourceInUseException } from '../../errors/index.ts'
import { tableMessages } from './table-messages.ts'
import { quoteTable, type TableName } from './table-name.ts'

/** A code of our own: PostgreSQL has none that begins like this. */
const REFUSED = 'AS001'

/** What PostgreSQL numbers from here on was made by people. */
export const FIRST_OF_PEOPLE = 16_384

interface Referring {
  /** The role that the table belongs to. */
  readonly owner: string
  /** Those of its own schema: the names of others are not told. */
  readonly tables: readonly string[]
  readonly count: number
}

/**
 * A statement that fails if somebody refers to the table who could make the check of a detach run what they
 * like: it runs as the service, with its rights, and not as the owner of either table. That is whoever owns a
 * table that refers to it without being the owner of this one, the service or a superuser, and whoever forces
 * policies on it or brings a type, which may have casts. Under the lock of the table no reference is added any more.
 */
export const refuseReferences = (table: TableName, partitions: readonly TableName[]): string =>
  `do $references$ declare referring jsonb; begin
    select jsonb_build_object(
      'owner', min(our.relowner::regrole::text), 'count', count(distinct r.oid),
      'tables', coalesce(jsonb_agg(distinct r.relname) filter (where n.nspname = ${quoteText(table.schema)}), '[]'))
    into referring
    from pg_constraint k
    join pg_class our on our.oid = k.confrelid
    join pg_class r on r.oid = k.conrelid
    join pg_namespace n on n.oid = r.relnamespace
    join pg_roles o on o.oid = r.relowner
    where k.contype = 'f' and not o.rolsuper and k.confrelid = any (array[${[table, ...partitions]
      .map((name) => `to_regclass(${quoteText(quoteTable(name))})`)
      .join(', ')}]::oid[])
      and (r.relowner not in (our.relowner, current_user::regrole)
        or r.relforcerowsecurity and r.relowner <> current_user::regrole or exists (
        select from pg_attribute a
        join pg_type t on t.oid = a.atttypid
        join pg_roles maker on maker.oid = t.typowner
        where a.attrelid = r.oid and a.attnum = any (k.conkey) and t.oid >= ${FIRST_OF_PEOPLE}
          and not maker.rolsuper and maker.rolname <> current_user));
    if (referring ->> 'count')::integer > 0 then
      raise exception 'a table of others refers to it' using errcode = '${REFUSED}', detail = referring::text;
    end if;
  end $references$`

/** The refusal of that statement, as what is answered; any other error stays what it is. */
export function orReferredTo(error: unknown, { table }: TableName): unknown {
  const { code, detail } = error as { code?: string; detail?: string }
  if (code !== REFUSED || detail === undefined) return error
  const referring = JSON.parse(detail) as Referring
  return new SourceInUseException(tableMessages.referredToByOthers({ table, ...referring }), {
    cause: error,
  })
}
