import { setTimeout as sleep } from 'node:timers/promises'

import settings from '../../.mocharc.json' with { type: 'json' }

/**
 * How long a test waits for what has to come about. Far more than it takes on a busy machine: it only
 * ends a test that would wait for ever, a little before mocha does and with better words.
 */
export const PATIENCE_MS = settings.timeout * 0.9
const LOOK_EVERY_MS = 20

/** For calls that want a signal and are to come to their end. */
export const patience = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS)

/** Looks again and again until it is so; says what it waited for when it gives up. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  withinMs: number = PATIENCE_MS,
): Promise<void> {
  await found(what, async () => ((await isSo()) ? true : null), withinMs)
}

/** Looks again and again until there is something to find, which is not null. */
export async function found<T>(
  what: string,
  look: () => Promise<T | null> | T | null,
  withinMs: number = PATIENCE_MS,
): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const result = await look()
    if (result !== null) return result
    if (performance.now() > deadline) throw new Error(`Not in ${withinMs} ms: ${what}`)
    await sleep(LOOK_EVERY_MS)
  }
}

/** Checks again and again until the check passes; fails as the last one did. */
export async function eventually(check: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      await check()
      return
    } catch (error) {
      if (performance.now() > deadline) throw error
      await sleep(LOOK_EVERY_MS)
    }
  }
}
