import { expect } from 'chai'

import { inMegabytes, residentBytes } from '../tools/gauges.ts'
import type { World } from '../world.ts'
import { MEBIBYTE } from './scale.ts'

const WITHIN_BYTES = 50 * MEBIBYTE

/**
 * The same crowd again needs no more than the one before. That is what a leak would break; what a
 * process has taken once it keeps while it is idle, since nothing collects its heap then.
 */
export async function expectNoMore(
  { server }: World,
  again: () => Promise<unknown>,
): Promise<string> {
  const before = await residentBytes(server.address)
  await again()
  const after = await residentBytes(server.address)
  const told = `${inMegabytes(before)}, then ${inMegabytes(after)}`
  expect(after - before, told).to.be.at.most(WITHIN_BYTES)
  return told
}
