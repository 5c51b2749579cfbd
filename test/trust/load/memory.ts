import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { inMegabytes, residentBytes } from '../tools/gauges.ts'
import type { World } from '../world.ts'
import { MEBIBYTE } from '../../support/mebibyte.ts'

const WITHIN_BYTES = 50 * MEBIBYTE
const WITHIN_MS = 40_000
const LOOK_EVERY_MS = 1_000
/** It rests when it has given nothing back for so long: it waits itself, and then takes its time. */
const UNCHANGED_MS = 20_000
const NOTHING_BYTES = MEBIBYTE

/** What a process holds when it has nothing to do, and has given back what it had for what it did. */
export async function restingBytes({ server }: World): Promise<number> {
  const begun = performance.now()
  let least = await residentBytes(server.address)
  let since = begun
  for (let now = begun; now - since < UNCHANGED_MS; now = performance.now()) {
    expect(now - begun, 'memory at rest').to.be.below(2 * WITHIN_MS)
    await sleep(LOOK_EVERY_MS)
    const bytes = await residentBytes(server.address)
    if (bytes > least - NOTHING_BYTES) continue
    least = bytes
    since = performance.now()
  }
  return least
}

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
