import { createApp } from './app.ts'
import { collectLessOften } from './collect-less-often.ts'
import { ConfigError, readConfig } from './config/config.ts'
import { startDatabase } from './database.ts'
import { DatabaseError, translateDatabaseError } from './db/database-errors.ts'
import { EmbeddedPostgresError } from './db/embedded/index.ts'
import { migrate } from './db/migrate.ts'
import { howToSignIn, startDemo } from './demo/start-demo.ts'
import { TableEngineError } from './domain/tables/table-engine.ts'
import { ServiceUnavailableException } from './errors/index.ts'
import { createLogger, type Logger } from './observability/logger.ts'
import { listen, ListenError } from './server.ts'
import { createServices } from './services.ts'
import { serviceVersion } from './version.ts'

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const
/** Shares of the grace time: after the first, work under way is told to stop; after the second, cut. */
const CUT_AFTER = 0.5
const CLOSE_AFTER = 0.75

const stopping = new AbortController()

async function run(stop: AbortSignal): Promise<void> {
  collectLessOften()
  const config = readConfig(process.env)
  const logger = createLogger({ level: config.logLevel, pretty: process.stderr.isTTY })
  stopAtSignals(logger)
  const cut = new AbortController()

  await using opened = new AsyncDisposableStack()
  const database = opened.adopt(await startDatabase(config, logger, stop), (open) => open.stop())
  await migrate(database.url)
  const demo = config.embedded
    ? opened.adopt(await startDemo(config, database.url), (open) => open.close())
    : null
  const services = opened.use(await createServices(config, database.url, logger, demo?.allowed))
  const worker = config.jobs.worker ? opened.use(await services.startWorker()) : null
  const app = createApp(services.http, logger, {
    version: serviceVersion(),
    settings: config.server,
    stopping: stop,
    cut: cut.signal,
  })
  const server = await listen(app, config.server.host, config.server.port, logger)
  services.listeningOn(server.address)
  process.stdout.write(`Listening on ${server.address}\n`)
  if (demo?.firstStart) process.stdout.write(howToSignIn(server.address))

  await aborted(stop)
  const graceMs = config.server.shutdownGraceMs
  // Whatever hangs then, a supervisor that waits for the grace time sees the process gone.
  setTimeout(() => process.exit(0), graceMs).unref()
  setTimeout(() => cut.abort(stopsNow()), graceMs * CUT_AFTER).unref()
  // Queued work goes back into the queue while the last answers are finished.
  await Promise.all([worker?.[Symbol.asyncDispose](), server.stop(graceMs * CLOSE_AFTER)])
}

/** Who is cut off may send the same to whoever takes the place of this process. */
const stopsNow = () =>
  new ServiceUnavailableException('The service is stopping; nothing was changed', {
    headers: { 'retry-after': '5' },
  })

/** The first signal stops the service in good order; a second one ends the process at once. */
function stopAtSignals(logger: Logger): void {
  for (const name of STOP_SIGNALS) {
    process.on(name, () => {
      if (stopping.signal.aborted) process.exit(1)
      logger.info({ signal: name }, 'stopping')
      stopping.abort()
    })
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Why a start failed, in words for the one who started it; anything else keeps its stack. */
const EXPECTED = [ConfigError, EmbeddedPostgresError, ListenError, TableEngineError] as const

/** What the one who starts the service can mend; null for what needs its stack. */
function sentenceFor(error: unknown): string | null {
  if (EXPECTED.some((type) => error instanceof type)) return (error as Error).message
  const known = translateDatabaseError(error)
  return known instanceof DatabaseError ? known.message : null
}

try {
  await run(stopping.signal)
} catch (error) {
  // A start that is told to stop has not failed, whatever the stop broke on its way.
  if (!stopping.signal.aborted) {
    process.stderr.write(`${sentenceFor(error) ?? (error as Error).stack}\n`)
    process.exitCode = 1
  }
}
