import { StopRequest } from './start/stop-request.ts'
import './start/keep-compiled.js'

/** The service. It listens to signals before it loads anything else. */
const stop = new StopRequest({ runsUntilStopped: true })
const { loadRooms } = await import('./load-rooms.ts')
await loadRooms()
const { serve } = await import('./serve.ts')
process.exitCode = await serve(stop)
// A start that was told to stop may have left behind what does not answer.
if (stop.exitCode !== null) process.exit()
