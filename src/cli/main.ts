import { loadRooms } from '../load-rooms.ts'
import { StopRequest } from '../stop-request.ts'

/** One command of the product. It listens to signals before it loads anything else. */
const RUN_UNTIL_STOPPED: readonly (string | undefined)[] = ['serve', 'worker', 'formulaires']

const stop = new StopRequest({ runsUntilStopped: RUN_UNTIL_STOPPED.includes(process.argv[2]) })
await loadRooms()
const { runCommand } = await import('./run-command.ts')
process.exitCode = await runCommand(stop)
// A start that was told to stop may have left behind what does not answer.
if (stop.exitCode !== null) process.exit()
