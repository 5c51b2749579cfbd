import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'
import { text } from 'node:stream/consumers'

import { interruption } from './interruption.ts'
import { peakResidentBytes } from './resident-memory.ts'

export interface Measured {
  readonly ms: number
  /** Peak resident memory of the Node process; null where there was none of ours. */
  readonly peakRssBytes: number | null
}

/** A script has failed and said why. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError'
  readonly exitCode: number

  constructor(script: URL, exitCode: number) {
    super(`${basename(script.pathname)} ended with ${exitCode}`)
    this.exitCode = exitCode
  }
}

/** Runs a script in a process of its own, which times itself and prints a `Measured` as JSON. */
export async function measureScript(script: URL, args: readonly string[]): Promise<Measured> {
  const child = spawn(process.execPath, [script.pathname, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    signal: interruption,
  })
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new ScriptError(script, Number(code))
  return JSON.parse(stdout) as Measured
}

/** For the scripts: what it took so far, and what to print. */
export function printMeasured(began: number): void {
  const measured: Measured = {
    ms: performance.now() - began,
    // Where only the system's count is to be had: kilobytes, and never less than what the process
    // that began this one held at that time.
    peakRssBytes: peakResidentBytes(process.pid) ?? process.resourceUsage().maxRSS * 1024,
  }
  process.stdout.write(JSON.stringify(measured))
}

export async function time(work: () => Promise<unknown>): Promise<Measured> {
  const began = performance.now()
  await work()
  return { ms: performance.now() - began, peakRssBytes: null }
}
