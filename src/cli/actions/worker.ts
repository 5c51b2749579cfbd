import { once } from 'node:events'

import { createApp } from '../../app.ts'
import { collectLessOften } from '../../start/collect-less-often.ts'
import type { Config } from '../../config/config.ts'
import { allowedBesideDemo } from '../../demo/start-demo.ts'
import { WORKER_ROUTES } from '../../http/routes/index.ts'
import { createLogger, type Logger } from '../../observability/logger.ts'
import { listen } from '../../http/listen.ts'
import { keepCompiled, loadLateParts } from '../../load-rooms.ts'
import { stopWhenOutdated } from '../../start/stop-when-outdated.ts'
import { createServices, type Services } from '../../services.ts'
import type { StopRequest } from '../../start/stop-request.ts'
import { openUnlessAborted } from '../../time/unless-aborted.ts'
import { type CliDatabase, withDatabase } from '../with-database.ts'

/** The only requests in progress are health checks and metrics. */
const CLOSE_WITHIN_MS = 1000

export const run = (stop: StopRequest): Promise<void> =>
  withDatabase(stop, (opened) => work(opened, stop), {
    waits: true,
    tells: true,
    earlier: 'migrated',
  })

async function work({ config, database, stopping }: CliDatabase, stop: StopRequest): Promise<void> {
  collectLessOften()
  const logger = createLogger({ ...config.log, pretty: process[config.log.stream].isTTY })
  await using opened = new AsyncDisposableStack()
  const allowed = await allowedBesideDemo(config)
  const services = await openUnlessAborted(
    stopping,
    createServices(config, database, logger, { stopping, alsoAllowed: allowed }),
    opened,
  )
  keepCompiled()
  opened.use(await tellHealth(config, services, logger, stopping))
  // Disposed of first: running jobs are handed back before anything that they need is closed.
  const worker = opened.use(await services.startWorker())
  stopWhenOutdated(services.http.schema.outdated, stop, logger, {
    afterMs: 0,
    handBack: () => worker[Symbol.asyncDispose](),
  })
  process.stdout.write('Taking jobs\n')
  void loadLateParts(logger)
  // A job that does not stop in time is taken over once its heartbeat is missed.
  if (!stopping.aborted) await once(stopping, 'abort')
  logger.info('stopping; unfinished jobs go back into the queue')
}

/** For the supervisor of the process; a worker answers nothing else over HTTP. */
async function tellHealth(
  { jobs, server: settings }: Config,
  services: Services,
  logger: Logger,
  stopping: AbortSignal,
): Promise<AsyncDisposableStack> {
  const opened = new AsyncDisposableStack()
  if (jobs.port === null) return opened
  const app = createApp(services.http, logger, {
    routes: WORKER_ROUTES,
    settings,
    stopping,
    cut: stopping,
  })
  const server = await listen(app, settings.host, jobs.port, logger, settings.language)
  opened.defer(() => server.stop(CLOSE_WITHIN_MS))
  process.stdout.write(`Serving health and metrics on ${server.address}\n`)
  return opened
}
