import { once } from 'node:events'

import type { Command } from 'commander'

import { collectLessOften } from '../../collect-less-often.ts'
import { allowedBesideDemo } from '../../demo/start-demo.ts'
import { createLogger } from '../../observability/logger.ts'
import { createServices } from '../../services.ts'
import { friendly } from '../friendly.ts'
import { type CliDatabase, withDatabase } from '../with-database.ts'

export const worker = (program: Command) =>
  program
    .command('worker')
    .description('Run queued jobs, and nothing else, until it is stopped')
    .action(
      friendly(async () => {
        const stopped = new AbortController()
        const stop = () => stopped.abort()
        // Once: a second signal ends the process as it would any other.
        process.once('SIGTERM', stop).once('SIGINT', stop)
        try {
          await withDatabase((database) => work(database, stopped.signal))
        } finally {
          process.off('SIGTERM', stop).off('SIGINT', stop)
        }
      }),
    )

async function work({ config, url }: CliDatabase, stopped: AbortSignal): Promise<void> {
  collectLessOften()
  const logger = createLogger({ level: config.logLevel, pretty: process.stderr.isTTY })
  await using opened = new AsyncDisposableStack()
  const allowed = await allowedBesideDemo(config)
  const services = opened.use(await createServices(config, url, logger, allowed))
  // Disposed of first: what runs is handed back before anything that it needs is closed.
  opened.use(await services.startWorker())
  process.stdout.write('Taking jobs\n')
  if (!stopped.aborted) await once(stopped, 'abort')
  logger.info('stopping; unfinished jobs go back into the queue')
  // A job that does not stop in time is taken over when its heartbeat stays away.
  setTimeout(() => process.exit(0), config.server.shutdownGraceMs).unref()
}
