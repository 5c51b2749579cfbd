import type { Config } from './config/config.ts'
import { startEmbeddedPostgres } from './db/embedded/index.ts'
import type { DatabaseAddress } from './db/pool.ts'
import { openFolder } from './folders.ts'
import type { Logger } from './observability/logger.ts'

export interface RunningDatabase extends DatabaseAddress {
  stop(): Promise<void>
}

/** The database that the settings name, or the embedded one, started. */
export async function startDatabase(
  { database }: Config,
  logger: Logger,
  signal: AbortSignal,
): Promise<RunningDatabase> {
  if (database.kind === 'external') {
    return { url: database.url, sessionUrl: database.sessionUrl, stop: async () => {} }
  }
  const folder = await openFolder(database.folder, 'DATA_DIR')
  const { url, stop } = await startEmbeddedPostgres({ folder, logger, signal })
  return { url, sessionUrl: url, stop }
}
