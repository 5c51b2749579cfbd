import type { Config } from '../config/config.ts'
import type { SettingName } from '../config/settings.ts'
import { startEmbeddedPostgres } from '../db/embedded/index.ts'
import {
  DatabaseBusyError,
  DatabaseUnavailableError,
  translateDatabaseError,
} from '../db/database-errors.ts'
import { createPool, type DatabaseAddress, isPooled } from '../db/pool.ts'
import { openFolder } from './writable-folder.ts'
import type { Logger } from '../observability/logger.ts'
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
    const { url, sessionUrl } = database
    for (const address of addressesOf(database)) {
      await waitUntilThere(() => askDatabase(address), {
        what: `the database of ${address.setting}`,
        isAway: (error) =>
          error instanceof DatabaseUnavailableError || error instanceof DatabaseBusyError,
        limitMs: waitMs,
        logger,
        signal,
      })
    }
    return { url, sessionUrl, stop: async () => {} }
  }
  const folder = await openFolder(database.folder, 'DATA_DIR')
  const { url, stop } = await startEmbeddedPostgres({ folder, logger, signal })
  return { url, sessionUrl: url, stop }
}

interface AskedAddress {
  readonly url: string
  readonly setting: SettingName
  readonly pooled: boolean
}

function addressesOf(database: DatabaseAddress): AskedAddress[] {
  const { url, sessionUrl } = database
  const pooled = isPooled(database)
  return [
    { url, setting: 'DATABASE_URL', pooled },
    ...(pooled
      ? [{ url: sessionUrl, setting: 'DATABASE_SESSION_URL' as const, pooled: false }]
      : []),
  ]
}

async function askDatabase({ url, setting, pooled }: AskedAddress): Promise<void> {
  const pool = createPool(url, { max: 1, pooled })
  try {
    await pool.query('select 1')
  } catch (error) {
    const { hostname, port, pathname } = new URL(url)
    const server = `${pathname.slice(1)} at ${hostname}:${port || '5432'} (${setting})`
    throw translateDatabaseError(error, server)
  } finally {
    await pool.end()
  }
}
