import { readFile, writeFile } from 'node:fs/promises'

import type { ServerProcess } from '../../support/server-process.ts'
import { residentBytes } from './gauges.ts'

/** Tells the kernel to forget what a process held at most. */
const FORGET_PEAK = '5'

/** How much the service held at most while something went on, and how much more than before. */
export async function whileWatchingMemory<T>(
  { address, pid }: Pick<ServerProcess, 'address' | 'pid'>,
  work: () => Promise<T>,
): Promise<{ result: T; mostBytes: number; grownBytes: number }> {
  const before = await residentBytes(address)
  await writeFile(`/proc/${pid}/clear_refs`, FORGET_PEAK).catch(ignore)
  const result = await work()
  const mostBytes = (await peakBytes(pid)) ?? (await residentBytes(address))
  return { result, mostBytes, grownBytes: Math.max(0, mostBytes - before) }
}

/** Null where the kernel does not tell it. */
async function peakBytes(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(ignore)
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status ?? '')?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) * 1024
}

const ignore = () => null
