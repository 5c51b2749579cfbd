import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { inMegabytes, residentBytes } from '../tools/gauges.ts'
import type { World } from '../world.ts'
import { MEBIBYTE } from '../tools/mebibyte.ts'

const WITHIN_BYTES = 50 * MEBIBYTE
const WITHIN_MS = 40_000
const LOOK_EVERY_MS = 1_000

/** What a process took for a crowd comes back when the crowd is gone. */
export async function expectMemoryBack({ server }: World, before: number): Promise<string> {
  const begun = performance.now()
  const most = await residentBytes(server.address)
  for (;;) {
    const now = await residentBytes(server.address)
    const afterMs = performance.now() - begun
    const told =
      `${inMegabytes(before)} before, ${inMegabytes(most)} at once, ` +
      `${inMegabytes(now)} ${Math.round(afterMs / 1000)} s later`
    if (now - before <= WITHIN_BYTES) return told
    expect(afterMs, told).to.be.below(WITHIN_MS)
    await sleep(LOOK_EVERY_MS)
  }
}
