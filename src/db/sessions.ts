import type { Pool } from 'pg'

import type { DatabaseClient } from './client.ts'

/** The open connections of a process, by the number that the server gave to each. */
export class Sessions {
  readonly #open = new Map<number, DatabaseClient>()

  /** Includes the pool's connections from now on. */
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

  /** Fails everything on the connection with this error at once; its pool opens another one. */
  breakOff(processID: number, why: Error): void {
    this.#open.get(processID)?.breakOff(why)
  }
}
