import type { Config } from '../config/config.ts'
import type { SettingName } from '../config/settings.ts'
import { startEmbeddedPostgres } from '../db/embedded/index.ts'
import {
  DatabaseBusyError,
  DatabaseUnavailableError,
  translateDatabaseError,
} from '../db/database-errors.ts'
import { fixSearchPath } from '../db/fix-search-path.ts'
import { createPool, type DatabaseAddress, isPooled } from '../db/pool.ts'
import { refuseMissingPassword } from '../stack/citus/check-cluster.ts'
import { openFolder } from './writable-folder.ts'
import type { Logger } from '../observability/logger.ts'
import { waitUntilThere, type WaitOptions } from './wait-until-there.ts'

interface RunningDatabase extends DatabaseAddress {
  stop(): Promise<void>
}

/** Starts the embedded database, or connects to the one in the settings. */
export async function startDatabase(
  { database }: Config,
  logger: Logger,
  signal: AbortSignal,
  /** How long to wait for a database that cannot be reached; the embedded one is started here. */
  waitMs: number,
): Promise<RunningDatabase> {
  if (database.kind === 'external') {
    const { url, sessionUrl } = database
    for (const address of addressesOf(database)) {
      await waitUntilThere(() => askDatabase(address), {
        what: `the database of ${address.setting}`,
        isAway,
        limitMs: waitMs,
        logger,
        signal,
      })
    }
    if (await fixSearchPath(database)) {
      logger.warn(
        'the role of DATABASE_URL now looks names up in pg_catalog and public only; sessions that the pooler has ' +
          'opened before do so when they are opened again (RECONNECT in PgBouncer)',
      )
    }
    return { url, sessionUrl, stop: async () => {} }
  }
  const folder = await openFolder(database.folder, 'DATA_DIR')
  const { url, stop } = await startEmbeddedPostgres({ folder, logger, signal })
  return { url, sessionUrl: url, stop }
}

const isAway = (error: unknown): boolean => {
  const known = translateDatabaseError(error)
  return known instanceof DatabaseUnavailableError || known instanceof DatabaseBusyError
}

/**
 * Waits until all nodes can be reached, since a cluster sends some changes to each of its nodes,
 * such as the schemas and functions of the first start or of a new version.
 */
export const onceNodesAreThere = <R>(
  make: () => Promise<R>,
  { purpose, ...options }: Omit<WaitOptions, 'what' | 'isAway'> & { readonly purpose: string },
): Promise<R> =>
  waitUntilThere(make, {
    ...options,
    what: `all nodes of the database, for ${purpose}`,
    isAway: (error) => {
      refuseMissingPassword(error)
      return isAway(error)
    },
  })

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
