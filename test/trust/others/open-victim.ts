import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

import type { Experience } from './victim.ts'
import type { Asking, VictimIdentity } from './victim-thread.ts'

export interface Victim extends AsyncDisposable {
  ask(asking: Asking): Promise<Experience>
}

/**
 * Somebody of another enterprise, on a thread of their own: what the attack costs the side that sends
 * it is not to be taken for time of the service.
 */
export function openVictim(identity: VictimIdentity): Victim {
  const thread = new Worker(new URL('victim-thread.ts', import.meta.url), { workerData: identity })
  return {
    async ask(asking) {
      thread.postMessage(asking)
      const [result] = (await once(thread, 'message')) as [Experience]
      return result
    },
    [Symbol.asyncDispose]: async () => void (await thread.terminate()),
  }
}
