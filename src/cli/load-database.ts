import { join } from 'node:path'

import { SettingError } from '../config/parse.ts'
import { settingText } from '../config/setting-text.ts'
import { readSetting } from '../config/config.ts'
import type { TableEngineOptions } from '../stack/table/table-engine.ts'
import { CliError } from './cli-error.ts'
import { postgresAddress } from './postgres-address.ts'

interface LoadDatabase extends AsyncDisposable {
  readonly url: string
}

/**
 * Opens the database that was named; otherwise the service's own in the data folder, which is
 * started if it is not running.
 */
export async function openLoadDatabase(
  given: string | undefined,
  dataDir: string,
  signal: AbortSignal,
): Promise<LoadDatabase> {
  const url = namedDatabase(given)
  if (url !== null) return { url, [Symbol.asyncDispose]: async () => undefined }
  const { runningPostgresUrl, startEmbeddedPostgres } = await import('../db/embedded/index.ts')
  const folder = join(dataDir, 'postgres')
  const running = await runningPostgresUrl(folder)
  if (running !== undefined) return { url: running, [Symbol.asyncDispose]: async () => undefined }
  const started = await startEmbeddedPostgres({ folder, signal })
  return { url: started.url, [Symbol.asyncDispose]: () => started.stop() }
}

/** Null: none was named. */
export function namedDatabase(given: string | undefined): string | null {
  const url = given ?? databaseUrlOf(process.env)
  return url === null ? null : postgresAddress(url, '--database-url, or DATABASE_URL,')
}

function databaseUrlOf(environment: NodeJS.ProcessEnv): string | null {
  try {
    // COPY and the locks of a load need sessions of their own, which a pooler does not keep.
    return (
      settingText('DATABASE_SESSION_URL', environment) ?? settingText('DATABASE_URL', environment)
    )
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    throw new CliError(`DATABASE_URL should be ${error.message}`, { cause: error })
  }
}

/** The same settings for large tables that the service uses. */
export function tableEngineOptions(): TableEngineOptions {
  try {
    return {
      name: readSetting('TABLE_ENGINE', process.env),
      distributesFromBytes: readSetting('CITUS_FROM_SIZE', process.env),
      shards: readSetting('CITUS_SHARDS', process.env),
    }
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    throw new CliError(`TABLE_ENGINE, CITUS_FROM_SIZE or CITUS_SHARDS should be ${error.message}`, {
      cause: error,
    })
  }
}
