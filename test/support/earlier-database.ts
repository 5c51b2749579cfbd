import type { Pool } from 'pg'

import { migrate } from '../../src/db/migrate.ts'
import { createMigrationSource } from '../../src/db/migration-source.ts'
import { createPool } from '../../src/db/pool.ts'
import { createEmptyDatabase } from './database.ts'

/** A database as an earlier version of the product left it. */
export interface EarlierDatabase extends AsyncDisposable {
  readonly url: string
  readonly pool: Pool
}

/** With the migrations that come before the one named. */
export async function databaseBefore(migration: string, connections = 1): Promise<EarlierDatabase> {
  await using opened = new AsyncDisposableStack()
  const { url } = opened.adopt(await createEmptyDatabase(), ({ drop }) => drop())
  const all = createMigrationSource()
  const earlier = (await all.getMigrations([])).filter(
    (each) => all.getMigrationName(each) < migration,
  )
  await migrate(url, { source: { ...all, getMigrations: async () => earlier } })
  const pool = opened.adopt(createPool(url, { max: connections }), (open) => open.end())
  const resources = opened.move()
  return { url, pool, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}
