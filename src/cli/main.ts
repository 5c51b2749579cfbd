import { StopRequest } from '../start/stop-request.ts'
import '../start/keep-compiled.js'

const RUN_UNTIL_STOPPED: readonly (string | undefined)[] = ['serve', 'worker', 'formulaires']

const command = process.argv.slice(2).find((argument) => !argument.startsWith('-'))
const stop = new StopRequest({ runsUntilStopped: RUN_UNTIL_STOPPED.includes(command) })
for (const stream of [process.stdout, process.stderr]) stream.on('error', passOverClosedPipe)
const { runCommand } = await import('./run-command.ts')
process.exitCode = await runCommand(stop)
// A start that was interrupted may have left something behind that does not end.
if (stop.exitCode !== null) process.exit()

/** A reader that closes the pipe early, as `head` does, must not make a command fail. */
function passOverClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
