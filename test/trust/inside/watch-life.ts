import { request } from 'undici'

import { startOwnTime } from '../tools/own-time.ts'

/**
 * Asks whether a service lives, again and again, in a process of its own: what sending something large
 * costs the sender is not to be taken for time of the service. Told to end, it says how long the
 * longest answer took.
 */
const [address, pid] = [process.argv[2]!, Number(process.argv[3])]

const over = new AbortController()
let worstMs = 0
process.once('message', () => over.abort())
// One question before, so that nothing of this process is loaded meanwhile.
await ask()
worstMs = 0
process.send!('asking')
while (!over.signal.aborted) await ask()
process.send!(worstMs)
process.disconnect()

async function ask(): Promise<void> {
  const ownTime = await startOwnTime(pid)
  const { statusCode, body } = await request(new URL('/health/live', address))
  await body.dump()
  worstMs = Math.max(worstMs, await ownTime(pid))
  if (statusCode !== 200) throw new Error(`/health/live answered ${statusCode}`)
}
