import { createPool, type DatabaseAddress } from '../db/pool.ts'
import { runningPostgresUrl } from '../db/embedded/index.ts'
import { migrate } from '../db/migrate.ts'
import { type Config, readConfig } from '../config/config.ts'
import { onceNodesAreThere, startDatabase } from '../start/start-database.ts'
import { tellOfMigrations } from '../start/tell-of-migrations.ts'
import { createLogger, type Logger } from '../observability/logger.ts'
import type { StopRequest } from '../start/stop-request.ts'
import { unlessAborted } from '../time/unless-aborted.ts'
import type { Pool } from 'pg'

export interface CliDatabase {
  readonly config: Config
  readonly logger: Logger
  readonly database: DatabaseAddress
  /** An address for sessions that are held; commands do not need a pooler. */
  readonly url: string
  readonly pool: Pool
  /** Aborted when the command is told to stop. */
  readonly stopping: AbortSignal
}

interface WaitingOptions {
  /**
   * Waits for a database that cannot be reached, as the service does at its start. At a terminal,
   * the error is shown at once.
   */
  readonly waits?: boolean
  /** Logs how far migrations have come. */
  readonly tells?: boolean
  /** What becomes of a database that an earlier version left, and may still be at work in. */
  readonly earlier?: 'refused' | 'migrated' | 'taken'
}

/**
 * Opens the database of the settings; an empty one gets its schema. An embedded database that the
 * service is running is shared with it; otherwise it is started for the command and stopped
 * afterwards.
 */
export async function withDatabase<R>(
  stop: StopRequest,
  work: (database: CliDatabase) => Promise<R>,
  { waits = false, tells = false, earlier = 'refused' }: WaitingOptions = {},
): Promise<R> {
  const config = readConfig(process.env)
  const stopping = stop.stopInOrder({ withinMs: config.server.shutdownGraceMs })
  const logger = createLogger({ level: tells ? 'info' : 'warn', pretty: process.stderr.isTTY })
  await using opened = new AsyncDisposableStack()
  const limitMs = waits ? config.startTimeoutMs : 0
  const database = await databaseAddress(config, { logger, opened, stopping, limitMs })
  const url = database.sessionUrl
  const upToDate = () =>
    migrate(url, {
      ...(tells && { tell: tellOfMigrations(logger) }),
      refusesEarlier: earlier === 'refused',
      signal: stopping,
    })
  if (earlier !== 'taken') {
    await unlessAborted(
      stopping,
      onceNodesAreThere(upToDate, {
        purpose: 'its migrations',
        limitMs,
        logger,
        signal: stopping,
      }),
    )
  }
  const pool = opened.adopt(createPool(url, { max: 4 }), (open) => open.end())
  return await work({ config, logger, database, url, pool, stopping })
}

interface Opening {
  readonly logger: Logger
  readonly opened: AsyncDisposableStack
  readonly stopping: AbortSignal
  readonly limitMs: number
}

async function databaseAddress(
  config: Config,
  { logger, opened, stopping, limitMs }: Opening,
): Promise<DatabaseAddress> {
  if (config.database.kind === 'embedded') {
    const running = await runningPostgresUrl(config.database.folder)
    if (running !== undefined) return { url: running, sessionUrl: running }
  }
  const started = await startDatabase(config, logger, stopping, limitMs)
  opened.defer(() => started.stop())
  return started
}
