import type { Knex } from 'knex'

interface Correcting {
  readonly load_id: number
  readonly rejects: string
}

/**
 * Which rejects a load has corrected is said of the load. A reject named the last load that had corrected it: where
 * two states had parted, and each had corrected it, it came back in the first. Tables of rejects that are there keep
 * their column, which nobody reads any more.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table loads add column corrects int8multirange')
  await knex.raw('create index loads_corrections on loads (table_id) where corrects is not null')
  const { rows } = await knex.raw<{ rows: Correcting[] }>(
    `select l.id as load_id, quote_ident(n.nspname) || '.' || quote_ident(c.relname) as rejects
     from loads l
     join generated_tables g on g.id = l.table_id
     join pg_namespace n on n.nspname = 'enterprise_' || g.enterprise_id || '_loads'
     join pg_class c on c.relnamespace = n.oid and c.relname = 'rejects_' || g.id
     where l.kind = 'rejects' and l.state in ('current', 'kept')`,
  )
  for (const { load_id: loadId, rejects } of rows) {
    await knex.raw(
      `update loads
       set corrects = (select range_agg(int8range(id, id, '[]')) from ${rejects} where corrected_by = ?)
       where id = ?`,
      [loadId, loadId],
    )
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table loads drop column corrects')
}
