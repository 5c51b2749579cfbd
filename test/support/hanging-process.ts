/** Is told to stop and never does: `node hanging-process.ts [WITHIN_MS]`. */
import { StopRequest } from '../../src/start/stop-request.ts'

const [, , withinMs] = process.argv
const stop = new StopRequest({ runsUntilStopped: true })
const stopping = stop.stopInOrder(withinMs === undefined ? {} : { withinMs: Number(withinMs) })
stopping.addEventListener('abort', () => process.stdout.write('asked to stop\n'))
setTimeout(() => undefined, 2 ** 31 - 1)
process.stdout.write('runs\n')
