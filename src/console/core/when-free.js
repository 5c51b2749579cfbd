import { pause } from './pause.js'

const TOO_MANY = 429
const TRY_AGAIN_AFTER_MS = 1000

/** Asks again while the account has all its places taken: what was just left may still hold one. */
export async function whenFree(ask, signal, waitMs = TRY_AGAIN_AFTER_MS) {
  for (;;) {
    try {
      return await ask()
    } catch (problem) {
      if (problem.status !== TOO_MANY) throw problem
    }
    await pause(waitMs, signal)
  }
}
