import { constants } from 'node:os'

const stopping = new AbortController()
let exitCode: number | null = null

/** Aborted by Ctrl-C or SIGTERM: what was made for the occasion is removed on the way out. */
export const interruption: AbortSignal = stopping.signal

/** What an interrupted run ends with; null where nobody interrupted it. */
export const interruptedWith = (): number | null => exitCode

/** The first signal ends the run in order; a second one at once. */
export function endInOrder(): void {
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      exitCode = 128 + constants.signals[name]
      stopping.abort()
    })
  }
}
