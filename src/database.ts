import type { Config } from './config/config.ts'
import { startEmbeddedPostgres } from './db/embedded/index.ts'
import {
  DatabaseBusyError,
  DatabaseUnavailableError,
  translateDatabaseError,
} from './db/database-errors.ts'
import { createPool, type DatabaseAddress } from './db/pool.ts'
import { openFolder } from './writable-folder.ts'
import type { Logger } from './observability/logger.ts'
import { waitUntilThere } from './wait-until-there.ts'

export interface RunningDatabase extends DatabaseAddress {
  stop(): Promise<void>
}

/** The database that the settings name, or the embedded one, started. */
export async function startDatabase(
  { database }: Config,
  logger: Logger,
  signal: AbortSignal,
  /** For one that is away; the embedded one is started here. */
  waitMs: number,
): Promise<RunningDatabase> {
  if (database.kind === 'external') {
    await waitUntilThere(() => askDatabase(database.url), {
      what: 'the database of DATABASE_URL',
      isAway: (error) =>
        error instanceof DatabaseUnavailableError || error instanceof DatabaseBusyError,
      limitMs: waitMs,
      logger,
      signal,
    })
    return { url: database.url, sessionUrl: database.sessionUrl, stop: async () => {} }
  }
  const folder = await openFolder(database.folder, 'DATA_DIR')
  const { url, stop } = await startEmbeddedPostgres({ folder, logger, signal })
  return { url, sessionUrl: url, stop }
}

async function askDatabase(url: string): Promise<void> {
  const pool = createPool(url, { max: 1 })
  try {
    await pool.query('select 1')
  } catch (error) {
    const { hostname, port, pathname } = new URL(url)
    const server = `${pathname.slice(1)} at ${hostname}:${port || '5432'} (DATABASE_URL)`
    throw translateDatabaseError(error, server)
  } finally {
    await pool.end()
  }
}
