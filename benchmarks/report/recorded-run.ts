import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'

import { CliError } from '../../src/cli/cli-error.ts'
import type { BenchmarkResult } from '../benchmark.ts'

/** One case as it was measured once: enough to draw it, and to compare with it later. */
export interface RecordedCase extends BenchmarkResult {
  readonly name: string
  readonly summary: string
  readonly measuredAt: string
  readonly machine: Machine
}

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly platform: string
  readonly node: string
}

/** The cases of a file that an earlier run wrote, newest measurement of each. */
interface RecordedRun {
  readonly cases: readonly RecordedCase[]
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
  }
}

export function readRun(path: string | URL): RecordedRun {
  const run = parse(path)
  if (Array.isArray(run.cases)) return run as RecordedRun
  throw new CliError(`${String(path)} is not what an earlier run wrote`)
}

function parse(path: string | URL): Partial<RecordedRun> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<RecordedRun>
  } catch (cause) {
    throw new CliError(`${String(path)} cannot be read: ${(cause as Error).message}`, { cause })
  }
}

/** What was measured now takes the place of what is known of the same case. */
export function mergeCases(
  known: readonly RecordedCase[],
  measured: readonly RecordedCase[],
  order: readonly string[],
): RecordedCase[] {
  const byName = new Map([...known, ...measured].map((each) => [each.name, each]))
  return order.flatMap((name) => byName.get(name) ?? [])
}
