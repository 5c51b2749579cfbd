import { openPresence } from '../../src/processes/presence.ts'

/** A process that does nothing but live: `node presence-process.ts URL HEARTBEAT_MS`. */
const [databaseUrl, heartbeatMs] = process.argv.slice(2)
const presence = await openPresence({ databaseUrl: databaseUrl!, heartbeatMs: Number(heartbeatMs) })
// It ends in good order when it is asked to.
const untilTerm = setInterval(() => undefined, 60_000)
process.once('SIGTERM', () => {
  clearInterval(untilTerm)
  void presence[Symbol.asyncDispose]()
})
process.stdout.write(`Process ${presence.processId}\n`)
