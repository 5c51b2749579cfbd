import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 50

/** Waits until it is so; throws with what it was instead when the time is over. */
export async function until(
  what: string,
  timeoutMs: number,
  isSo: () => Promise<boolean>,
): Promise<number> {
  const begun = performance.now()
  while (!(await isSo())) {
    if (performance.now() - begun > timeoutMs) throw new Error(`Not in ${timeoutMs} ms: ${what}`)
    await sleep(LOOK_EVERY_MS)
  }
  return performance.now() - begun
}
