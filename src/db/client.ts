import { Client } from 'pg'

import { markAsOfConnection } from './database-errors.ts'

type Connected = (error: Error | null) => void

/** A connection to the database whose failures can be told from those of any other socket. */
export class DatabaseClient extends Client {
  constructor(config?: ConstructorParameters<typeof Client>[0]) {
    super(config)
    // The queries under way, and those to come, fail with the very error that is told here.
    this.on('error', markAsOfConnection)
  }

  override connect(): Promise<this>
  override connect(connected: Connected): void
  override connect(connected?: Connected): Promise<this> | void {
    if (connected === undefined) return this.#connect()
    super.connect((error: Error | null) => {
      if (error) markAsOfConnection(error)
      connected(error)
    })
  }

  async #connect(): Promise<this> {
    try {
      await super.connect()
      return this
    } catch (error) {
      if (error instanceof Error) markAsOfConnection(error)
      throw error
    }
  }
}
