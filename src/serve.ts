import { once } from 'node:events'

import { createApp } from './app.ts'
import { collectLessOften } from './start/collect-less-often.ts'
import { readConfig } from './config/config.ts'
import { onceNodesAreThere, startDatabase } from './start/start-database.ts'
import { migrate } from './db/migrate.ts'
import { fillDemoCollection } from './demo/demo-collection.ts'
import { howToSignIn, startDemo } from './demo/start-demo.ts'
import { ServiceUnavailableException } from './errors/index.ts'
import { allRoutes } from './http/routes/index.ts'
import { requestMessages } from './http/request-messages.ts'
import { createLogger } from './observability/logger.ts'
import { tellOfMigrations } from './start/tell-of-migrations.ts'
import { stopWhenOutdated } from './start/stop-when-outdated.ts'
import { sentenceFor } from './start/sentence-for.ts'
import { listenEarly } from './http/listen.ts'
import { keepCompiled, loadLateParts } from './load-rooms.ts'
import type { StartPhase } from './http/answer-while-starting.ts'
import { createServices } from './services.ts'
import type { StopRequest } from './start/stop-request.ts'
import { openUnlessAborted, unlessAborted } from './time/unless-aborted.ts'
import { serviceVersion } from './start/version.ts'

/** Shares of the grace time: after the first, work under way is told to stop; after the second, cut. */
const CUT_AFTER = 0.5
const CLOSE_AFTER = 0.75

/** How long a process that must not go on is seen as not ready before it stops answering. */
const UNREADY_MS = 5000

const HOW_TO_MAKE_SUPER_ADMIN =
  'There is no super-admin yet. Make the first one with\n' +
  '  npm run cli -- user create --email you@example.com --name "Your name" ' +
  '--role super-admin --account-type enterprise\n'

/** Runs the API, and a worker unless the settings say otherwise, until it is told to stop. */
export async function serve(stop: StopRequest): Promise<number> {
  try {
    await run(stop)
    return stop.exitCode ?? 0
  } catch (error) {
    // A start that is told to stop has not failed, whatever the stop broke on its way.
    if (stop.exitCode !== null) return stop.exitCode
    process.stderr.write(`${sentenceFor(error) ?? (error as Error).stack}\n`)
    return 1
  }
}

async function run(stop: StopRequest): Promise<void> {
  collectLessOften()
  const config = readConfig(process.env)
  const logger = createLogger({ ...config.log, pretty: process[config.log.stream].isTTY })
  const graceMs = config.server.shutdownGraceMs
  const stopping = stop.stopInOrder({ withinMs: graceMs })
  const cut = new AbortController()
  stopping.addEventListener('abort', () => {
    logger.info('stopping')
    setTimeout(() => cut.abort(stopsNow()), graceMs * CUT_AFTER).unref()
  })

  await using opened = new AsyncDisposableStack()
  let phase: StartPhase = 'starting'
  const { host, port, language } = config.server
  const server = opened.adopt(
    await listenEarly(host, port, logger, language, () => phase),
    (open) => open.stop(0),
  )
  const database = opened.adopt(
    await startDatabase(config, logger, stopping, config.startTimeoutMs),
    (open) => open.stop(),
  )
  phase = 'migrating'
  await unlessAborted(
    stopping,
    onceNodesAreThere(
      () => migrate(database.sessionUrl, { tell: tellOfMigrations(logger), signal: stopping }),
      {
        purpose: 'its migrations',
        limitMs: config.startTimeoutMs,
        logger,
        signal: stopping,
      },
    ),
  )
  phase = 'starting'
  const demo = config.onlyForThisMachine
    ? opened.adopt(await startDemo(config, database.sessionUrl), (open) => open?.close())
    : null
  const services = await openUnlessAborted(
    stopping,
    createServices(config, database, logger, {
      stopping,
      leaving: stop.leaving,
      alsoAllowed: demo?.allowed,
    }),
    opened,
  )
  const worker = config.jobs.worker ? opened.use(await services.startWorker()) : null
  const app = createApp(services.http, logger, {
    routes: allRoutes(serviceVersion()),
    settings: config.server,
    stopping,
    cut: cut.signal,
  })
  keepCompiled()
  server.answerWith(app)
  stop.delayBy(config.server.shutdownDelayMs)
  services.listeningOn(server.address)
  if (demo) {
    await fillDemoCollection(server.address, config.dataDir, stopping).catch((error: unknown) =>
      logger.warn({ err: error }, 'the collection of the demo world is not there'),
    )
  }
  process.stdout.write(`Listening on ${server.address}\n`)
  process.stdout.write(`Open ${server.address}/console/ in a browser\n`)
  if (demo) process.stdout.write(howToSignIn(server.address))
  else if (!(await services.http.people.hasSuperAdmin())) {
    process.stdout.write(HOW_TO_MAKE_SUPER_ADMIN)
  }
  void loadLateParts(logger)

  stopWhenOutdated(services.http.schema.outdated, stop, logger, {
    // Balancers see that it is not ready before it stops answering.
    afterMs: Math.min(graceMs, UNREADY_MS),
    handBack: () => worker?.[Symbol.asyncDispose](),
  })
  if (!stopping.aborted) await once(stopping, 'abort')
  // Queued work goes back into the queue while the last answers are finished.
  await Promise.all([worker?.[Symbol.asyncDispose](), server.stop(graceMs * CLOSE_AFTER)])
}

/** Who is cut off may send the same to whoever takes the place of this process. */
const stopsNow = () =>
  new ServiceUnavailableException(requestMessages.stopping(), {
    headers: { 'retry-after': '5' },
  })
