import type { Duplex } from 'node:stream'

import { Client, type ClientConfig } from 'pg'

import { markAsOfConnection } from './database-errors.ts'

/**
 * Never a schema named like the role, which PostgreSQL would search first: whoever may create schemas
 * could put a table of users there. Nor temporary tables before ours, which PostgreSQL would search even before
 * them where they are not named.
 */
export const SEARCH_PATH = 'pg_catalog, public, pg_temp'

type Connected = (error: Error | null) => void

interface DatabaseClientConfig extends ClientConfig {
  /** The address leads to a pooler, which may give every transaction a different session. */
  readonly pooled?: boolean
}

/** The options that a connection is opened with; the driver's types leave them out. */
interface Startup {
  getStartupConf(): Record<string, string>
}

/** The connection below the driver; its types leave it out. */
interface Wire {
  readonly connection: { readonly stream: Duplex }
}

/** A database connection whose failures can be told apart from those of any other socket. */
export class DatabaseClient extends Client implements Startup {
  /** The server's number of the session; a pooler makes one up. Null before it is connected. */
  declare readonly processID: number | null

  readonly #pooled: boolean

  constructor(config: string | DatabaseClientConfig = {}) {
    super(config)
    // Queries under way and later ones fail with the very error object that is passed here.
    this.on('error', markAsOfConnection)
    this.#pooled = typeof config === 'object' && config.pooled === true
    if (this.#pooled) this.#forgetNames()
  }

  /**
   * Dates are derived from timestamps in UTC and written in one form, wherever the server is;
   * poolers respect this, too. Names are looked up where only the service creates things; poolers
   * refuse this, so there the role says it.
   */
  getStartupConf(): Record<string, string> {
    const { getStartupConf } = Client.prototype as unknown as Startup
    return {
      ...getStartupConf.call(this),
      TimeZone: 'UTC',
      DateStyle: 'ISO',
      ...(!this.#pooled && { search_path: SEARCH_PATH }),
    }
  }

  /** Closes without telling the server, which may be unable to listen. */
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

  /** A prepared statement is known to one session only. */
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
