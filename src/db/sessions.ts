import type { Pool } from 'pg'

import type { DatabaseClient } from './client.ts'

/** The connections of a process that are open, by the number that the server has given to each. */
export class Sessions {
  readonly #open = new Map<number, DatabaseClient>()

  /** Those of the pool, from now on. */
  follow(pool: Pool): void {
    pool.on('connect', (client) => {
      const own = client as unknown as DatabaseClient
      this.#open.set(own.processID!, own)
    })
    pool.on('remove', (client) => {
      const { processID } = client as unknown as DatabaseClient
      this.#open.delete(processID!)
    })
  }

  /** Whatever is asked on it fails with this at once, and its pool opens another. */
  breakOff(processID: number, why: Error): void {
    this.#open.get(processID)?.breakOff(why)
  }
}
