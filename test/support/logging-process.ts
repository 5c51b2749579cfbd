import { StopRequest } from '../../src/start/stop-request.ts'
import { createLogger } from '../../src/observability/logger.ts'

/** A process that logs a line and waits to be stopped, and logs one more in that moment. */
const stop = new StopRequest({ runsUntilStopped: true })
const stopping = stop.stopInOrder({ withinMs: 60_000 })
const logger = createLogger({ level: 'info', pretty: false })
const untilStopped = setInterval(() => undefined, 60_000)
stopping.addEventListener('abort', () => {
  logger.info('stopping')
  clearInterval(untilStopped)
  process.exit()
})
logger.info('begun')
