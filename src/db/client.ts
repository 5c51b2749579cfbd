import type { Duplex } from 'node:stream'

import { Client, type ClientConfig } from 'pg'

import { markAsOfConnection } from './database-errors.ts'

type Connected = (error: Error | null) => void

interface DatabaseClientConfig extends ClientConfig {
  /** It leads to a pooler, which gives every transaction another session. */
  readonly pooled?: boolean
}

/** What a connection is opened with; the driver's types leave it out. */
interface Startup {
  getStartupConf(): Record<string, string>
}

/** What is below the driver; its types leave it out. */
interface Wire {
  readonly connection: { readonly stream: Duplex }
}

/** A connection to the database whose failures can be told from those of any other socket. */
export class DatabaseClient extends Client implements Startup {
  /** By which the server knows it; a pooler makes one up. Null before it is connected. */
  declare readonly processID: number | null

  constructor(config: string | DatabaseClientConfig = {}) {
    super(config)
    // The queries under way, and those to come, fail with the very error that is told here.
    this.on('error', markAsOfConnection)
    if (typeof config === 'object' && config.pooled === true) this.#forgetNames()
  }

  /** Days are cut from timestamps in UTC, and written alike, wherever the server stands; poolers keep to this, too. */
  getStartupConf(): Record<string, string> {
    const { getStartupConf } = Client.prototype as unknown as Startup
    return { ...getStartupConf.call(this), TimeZone: 'UTC', DateStyle: 'ISO' }
  }

  /** Without a word to the server, which may be unable to listen. */
  breakOff(why: Error): void {
    const { connection } = this as unknown as Wire
    connection.stream.destroy(why)
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

  /** A statement that was planned under a name is known to one session alone. */
  #forgetNames(): void {
    const query = this.query.bind(this) as (...given: unknown[]) => unknown
    const unnamed = (first: unknown, ...rest: unknown[]) => query(withoutName(first), ...rest)
    this.query = unnamed as typeof this.query
  }
}

function withoutName(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || 'submit' in query) return query
  return { ...query, name: undefined }
}
