import { forgetPeak, peakResidentBytes } from '../../../benchmarks/support/resident-memory.ts'
import type { ServerProcess } from '../../support/server-process.ts'
import { residentBytes } from './gauges.ts'

/** How much the service held at most while something went on, and how much more than before. */
export async function whileWatchingMemory<T>(
  { address, pid }: Pick<ServerProcess, 'address' | 'pid'>,
  work: () => Promise<T>,
): Promise<{ result: T; mostBytes: number; grownBytes: number }> {
  const before = await residentBytes(address)
  forgetPeak(pid)
  const result = await work()
  const mostBytes = peakResidentBytes(pid) ?? (await residentBytes(address))
  return { result, mostBytes, grownBytes: Math.max(0, mostBytes - before) }
}
