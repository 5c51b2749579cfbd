import { pause } from './pause.js'

const TOO_MANY = 429
const SOON_MS = 1000

/** While the account has all its places taken: what was just left may still hold one. */
export const soon = ({ status }) => (status === TOO_MANY ? SOON_MS : null)

/** When the service says that it may be asked; a little later, so that not all who wait come at once. */
export const whenTold = ({ retryAfterMs = null }) =>
  retryAfterMs === null ? null : Math.round(retryAfterMs * (1 + Math.random() / 2))

/**
 * Asks again after every refusal that `waitOf` has a time for, in milliseconds; `onWait` is told the refusal and
 * how long that is, and null when there is nothing to wait for any more.
 */
export async function whenFree(ask, signal, waitOf, onWait = () => undefined) {
  try {
    for (;;) {
      try {
        return await ask()
      } catch (problem) {
        const waitMs = waitOf(problem)
        if (waitMs === null) throw problem
        onWait({ problem, waitMs, until: Date.now() + waitMs })
        await pause(waitMs, signal)
      }
    }
  } finally {
    onWait(null)
  }
}
