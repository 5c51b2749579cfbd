import { createApp } from './app.ts'
import { ConfigError, readConfig } from './config/config.ts'
import { startDatabase } from './database.ts'
import { FolderBusyError } from './db/embedded/index.ts'
import { migrate } from './db/migrate.ts'
import { howToSignIn, startDemo } from './demo/start-demo.ts'
import { createLogger, type Logger } from './observability/logger.ts'
import { listen } from './server.ts'
import { createServices } from './services.ts'
import { serviceVersion, tooOldNode } from './version.ts'

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const

async function run(): Promise<void> {
  const complaint = tooOldNode(process.version)
  if (complaint !== null) throw new StartError(complaint)

  const config = readConfig(process.env)
  const logger = createLogger({ level: config.logLevel, pretty: process.stderr.isTTY })
  const stop = stopSignal(logger)
  const cut = new AbortController()

  await using opened = new AsyncDisposableStack()
  const database = opened.adopt(await startDatabase(config, logger, stop), (open) => open.stop())
  await migrate(database.url)
  const demo = config.embedded
    ? opened.adopt(await startDemo(config, database.url), (open) => open.close())
    : null
  const services = opened.use(await createServices(config, database.url, logger, demo?.allowed))
  if (config.jobs.worker) opened.use(await services.startWorker())
  const app = createApp(services.http, logger, {
    version: serviceVersion(),
    publicUrl: config.server.publicUrl,
    trustProxy: config.server.trustProxy,
    corsOrigins: config.server.corsOrigins,
    maxBodyBytes: config.server.maxBodyBytes,
    maxUploadBytes: config.server.maxUploadBytes,
    uploadIdleTimeoutMs: config.server.uploadIdleTimeoutMs,
    maxUploads: config.server.maxUploads,
    stopping: cut.signal,
  })
  const server = await listen(app, config.server.host, config.server.port)
  services.listeningOn(server.address)
  process.stdout.write(`Listening on ${server.address}\n`)
  if (demo?.firstStart) process.stdout.write(howToSignIn(server.address))

  await aborted(stop)
  const graceMs = config.server.shutdownGraceMs
  setTimeout(() => cut.abort(), graceMs * 0.8).unref()
  await server.stop(graceMs)
}

/** Aborts at the first signal; a second one ends the process at once. */
function stopSignal(logger: Logger): AbortSignal {
  const controller = new AbortController()
  for (const name of STOP_SIGNALS) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(1)
      logger.info({ signal: name }, 'stopping')
      controller.abort()
    })
  }
  return controller.signal
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Why a start failed, in words for the one who started it; anything else keeps its stack. */
class StartError extends Error {}

try {
  await run()
} catch (error) {
  const expected =
    error instanceof StartError || error instanceof ConfigError || error instanceof FolderBusyError
  process.stderr.write(`${expected ? error.message : (error as Error).stack}\n`)
  process.exitCode = 1
}
