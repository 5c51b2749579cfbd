import type { Config } from './config/config.ts'
import { startEmbeddedPostgres } from './db/embedded/index.ts'
import { openFolder } from './folders.ts'
import type { Logger } from './observability/logger.ts'

export interface RunningDatabase {
  readonly url: string
  stop(): Promise<void>
}

/** The database that the settings name, or the embedded one, started. */
export async function startDatabase(
  { database }: Config,
  logger: Logger,
  signal: AbortSignal,
): Promise<RunningDatabase> {
  if (database.kind === 'external') return { url: database.url, stop: async () => {} }
  const folder = await openFolder(database.folder, 'DATA_DIR')
  return startEmbeddedPostgres({ folder, logger, signal })
}
