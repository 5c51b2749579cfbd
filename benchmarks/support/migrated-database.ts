import type { Pool } from 'pg'

import { migrate } from '../../src/db/migrate.ts'
import { createPool } from '../../src/db/pool.ts'
import { benchmarkDatabase } from './benchmark-database.ts'

interface MigratedDatabase extends AsyncDisposable {
  readonly url: string
  readonly pool: Pool
}

/** A database of its own with the tables of the service, and connections to it. */
export async function migratedDatabase(
  url: string | null,
  connections = 2,
): Promise<MigratedDatabase> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await benchmarkDatabase(url))
  await migrate(database.url)
  const pool = stack.adopt(createPool(database.url, { max: connections }), (open) => open.end())
  const whole = stack.move()
  return { url: database.url, pool, [Symbol.asyncDispose]: () => whole.disposeAsync() }
}
