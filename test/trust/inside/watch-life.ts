import { setTimeout as sleep } from 'node:timers/promises'

import { startOwnTime } from '../tools/own-time.ts'

/** Far less than the service may keep anybody waiting. It leaves the processors to those who are watched. */
const PAUSE_MS = 10

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
while (!over.signal.aborted) {
  await ask()
  await sleep(PAUSE_MS)
}
process.send!(worstMs)
process.disconnect()

async function ask(): Promise<void> {
  const ownTime = await startOwnTime(pid)
  const answer = await fetch(new URL('/health/live', address))
  await answer.arrayBuffer()
  worstMs = Math.max(worstMs, await ownTime(pid))
  if (!answer.ok) throw new Error(`/health/live answered ${answer.status}`)
}
