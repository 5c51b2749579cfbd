/**
 * A service reduced to its database, as a process of its own that tests can kill:
 * `node embedded-owner.ts FOLDER` prints the address and holds the database until SIGTERM.
 */
import { startEmbeddedPostgres } from '../../src/db/embedded/index.ts'

const [folder = ''] = process.argv.slice(2)
try {
  const server = await startEmbeddedPostgres({ folder, ephemeral: false })
  const untilTerm = setInterval(() => undefined, 60_000)
  process.once('SIGTERM', () => {
    clearInterval(untilTerm)
    void server.stop()
  })
  process.stdout.write(`${server.url}\n`)
} catch (error) {
  process.stderr.write(`${String(error)}\n`)
  process.exitCode = 1
}
