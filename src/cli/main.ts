import { StopRequest } from '../start/stop-request.ts'
import '../start/keep-compiled.js'

/** One command of the product. It listens to signals before it loads anything else. */
const RUN_UNTIL_STOPPED: readonly (string | undefined)[] = ['serve', 'worker', 'formulaires']

const command = process.argv.slice(2).find((argument) => !argument.startsWith('-'))
const stop = new StopRequest({ runsUntilStopped: RUN_UNTIL_STOPPED.includes(command) })
for (const stream of [process.stdout, process.stderr]) stream.on('error', passOverClosedPipe)
const { runCommand } = await import('./run-command.ts')
process.exitCode = await runCommand(stop)
// A start that was told to stop may have left behind what does not answer.
if (stop.exitCode !== null) process.exit()

/** Whoever has read enough, as `head` does, keeps no command from its end. */
function passOverClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
