import type { World } from '../world.ts'

/** How much there is of everything that an upload or a load can leave behind. */
export async function possessions({ pool }: World): Promise<Readonly<Record<string, number>>> {
  const { rows } = await pool.query<Record<string, number>>(
    `select (select count(*)::int from documents) as documents,
            (select count(*)::int from sources) as sources,
            (select count(*)::int from object_claims) as claims,
            (select count(*)::int from pg_tables where schemaname like 'enterprise\\_%') as tables`,
  )
  return rows[0]!
}

/** Connections of the service on which something is going on. */
export async function busyBackends({ pool }: World): Promise<number> {
  const { rows } = await pool.query<{ busy: number }>(
    `select count(*)::int as busy from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
       and backend_type = 'client backend'`,
  )
  return rows[0]!.busy
}
