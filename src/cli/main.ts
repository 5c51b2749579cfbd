import { StopRequest } from '../stop-request.ts'
import '../keep-compiled.js'

/** One command of the product. It listens to signals before it loads anything else. */
const RUN_UNTIL_STOPPED: readonly (string | undefined)[] = ['serve', 'worker', 'formulaires']

const stop = new StopRequest({ runsUntilStopped: RUN_UNTIL_STOPPED.includes(process.argv[2]) })
process.stdout.on('error', passOverClosedPipe)
const { runCommand } = await import('./run-command.ts')
process.exitCode = await runCommand(stop)
// A start that was told to stop may have left behind what does not answer.
if (stop.exitCode !== null) process.exit()

/** Whoever has read enough, as `head` does, keeps no command from its end. */
function passOverClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
