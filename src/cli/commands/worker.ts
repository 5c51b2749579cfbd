import { once } from 'node:events'

import type { Command } from 'commander'

import { allowedBesideDemo } from '../../demo/start-demo.ts'
import { tuneMemory } from '../../memory.ts'
import { createLogger } from '../../observability/logger.ts'
import { createServices } from '../../services.ts'
import type { StopRequest } from '../../stop-request.ts'
import { unlessAborted } from '../../unless-aborted.ts'
import { friendly } from '../friendly.ts'
import { type CliDatabase, withDatabase } from '../with-database.ts'

export const worker = (program: Command, stop: StopRequest) =>
  program
    .command('worker')
    .description('Run queued jobs, and nothing else, until it is stopped')
    .action(friendly(() => withDatabase(stop, work)))

async function work({ config, url, stopping }: CliDatabase): Promise<void> {
  using _memory = tuneMemory()
  const logger = createLogger({ ...config.log, pretty: process[config.log.stream].isTTY })
  await using opened = new AsyncDisposableStack()
  const allowed = await allowedBesideDemo(config)
  const services = opened.use(
    await unlessAborted(stopping, createServices(config, url, logger, allowed)),
  )
  // Disposed of first: what runs is handed back before anything that it needs is closed.
  opened.use(await services.startWorker())
  process.stdout.write('Taking jobs\n')
  // A job that does not stop in time is taken over when its heartbeat stays away.
  if (!stopping.aborted) await once(stopping, 'abort')
  logger.info('stopping; unfinished jobs go back into the queue')
}
