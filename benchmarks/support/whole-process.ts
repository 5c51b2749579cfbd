import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'
import { text } from 'node:stream/consumers'

import { CliError } from '../../src/cli/cli-error.ts'
import type { Measured } from './measure.ts'
import { peakResidentBytes } from './resident-memory.ts'

/** How much can be missed of a peak: the system forgets it with the process. */
const LOOK_EVERY_MS = 20

/** Any program, from its start to its end, with its memory as the system counts it. */
export async function measureProgram(command: string, args: readonly string[]): Promise<Measured> {
  const began = performance.now()
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let peakRssBytes: number | null = null
  const looking = setInterval(() => {
    peakRssBytes = peakResidentBytes(child.pid!) ?? peakRssBytes
  }, LOOK_EVERY_MS)
  try {
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    const ms = performance.now() - began
    if (code !== 0) throw new CliError(`${basename(command)} ended with ${String(code)}: ${said}`)
    return { ms, peakRssBytes }
  } finally {
    clearInterval(looking)
  }
}
