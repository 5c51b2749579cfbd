import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

import type { Experience } from './victim.ts'
import type { Asking } from './victim-process.ts'

const VICTIM = resolve(import.meta.dirname, 'victim-process.ts')

export interface Victim extends AsyncDisposable {
  ask(asking: Asking): Promise<Experience>
}

interface VictimIdentity {
  readonly address: string
  readonly authSecret: string
  readonly uuid: string
}

/**
 * Somebody of another enterprise, in a process of their own: what the attack costs the side that sends
 * it is not to be taken for time of the service.
 */
export function openVictim({ address, authSecret, uuid }: VictimIdentity): Victim {
  const asking = fork(VICTIM, [address, authSecret, uuid])
  const exited = once(asking, 'exit')
  return {
    async ask(questions) {
      const over = new AbortController()
      const gone = exited.then(() => {
        throw new Error('The process that asks is gone')
      })
      asking.send(questions)
      try {
        const answered = once(asking, 'message', over) as Promise<[Experience]>
        const [result] = await Promise.race([answered, gone])
        return result
      } finally {
        over.abort()
      }
    },
    [Symbol.asyncDispose]: async () => {
      asking.kill()
      await exited
    },
  }
}
