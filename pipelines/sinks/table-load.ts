import { setTimeout as delay } from 'node:timers/promises'

import type { ColumnPlan } from '../core/plan.ts'
import type { CopyChunk } from './copy-chunk.ts'
import { CopyLanes } from './copy-lanes.ts'
import type { LoadSession } from './load-session.ts'
import type { RejectLog } from './rejects.ts'
import { quoteName, quoteTable, ROW_COLUMN, type TableName } from './sql.ts'
import { Staging, sweepStaging } from './staging.ts'

/**
 * With one stream everything from the table's creation to its publication is one transaction: a
 * server that keeps little WAL then writes none for the rows, and a crash leaves nothing behind.
 * Several streams have to see the table, so it is committed before them.
 */
export function isOneTransaction(session: LoadSession): boolean {
  return session.clients.length === 1
}

/** How long a COPY may take to give up before its backend is terminated. */
const ABORT_PATIENCE_MS = 1000

/** One pass of rows into a staging table: filled chunk by chunk, then published or given up. */
export class TableLoad {
  readonly staging: Staging
  readonly #session: LoadSession
  readonly #lanes: CopyLanes
  #aborting: Promise<void> | null = null

  private constructor(session: LoadSession, staging: Staging, lanes: CopyLanes) {
    this.#session = session
    this.staging = staging
    this.#lanes = lanes
  }

  static async open(
    session: LoadSession,
    schema: string,
    columns: readonly ColumnPlan[],
    prepare: ((staging: TableName) => Promise<void>) | null,
  ): Promise<TableLoad> {
    const alone = isOneTransaction(session)
    try {
      if (alone) await session.client.query('begin')
      const staging = await Staging.create(session.client, schema, columns)
      await prepare?.(staging.table)
      // What a transaction made, nobody else can have seen: its rows need no later visit by vacuum.
      const freeze = alone && prepare === null ? ', freeze' : ''
      const names = [ROW_COLUMN, ...columns.map(({ column }) => column)].map(quoteName)
      const lanes = new CopyLanes(
        `copy ${quoteTable(staging.table)} (${names.join(', ')}) from stdin (format binary${freeze})`,
      )
      const load = new TableLoad(session, staging, lanes)
      try {
        await Promise.all(session.clients.map((client) => lanes.add(client)))
        return load
      } catch (error) {
        await load.abort(error as Error)
        throw error
      }
    } catch (error) {
      // Half-made as it is, the connection takes everything with it when it closes.
      session.markBroken()
      throw error
    }
  }

  get streams(): number {
    return this.#lanes.count
  }

  take(): CopyChunk | null {
    return this.#lanes.take()
  }

  available(): Promise<void> {
    return this.#lanes.available()
  }

  send(chunk: CopyChunk): void {
    this.#lanes.send(chunk)
  }

  /** Wakes whoever waits for the database. */
  fail(error: Error): void {
    this.#lanes.fail(error)
  }

  finish(): Promise<number> {
    return this.#lanes.finish()
  }

  async copyRejects(log: RejectLog): Promise<number> {
    await this.staging.createRejects()
    const lanes = new CopyLanes(
      `copy ${quoteTable(this.staging.rejects)} from stdin (format binary)`,
    )
    await lanes.add(this.#session.client)
    try {
      return await log.copyTo(lanes)
    } catch (error) {
      await lanes.abort(error as Error)
      throw error
    }
  }

  /** Postgres gives up the rows at once, and the staging table is gone before this settles. */
  abort(reason: Error): Promise<void> {
    return (this.#aborting ??= this.#abort(reason))
  }

  async #abort(reason: Error): Promise<void> {
    const patience = new AbortController()
    const cleaned = await Promise.race([
      this.#cleanUp(reason),
      delay(ABORT_PATIENCE_MS, false, { signal: patience.signal }).catch(() => false),
    ])
    patience.abort()
    if (cleaned) return
    // The connection is gone or does not answer. Once its backend has ended the lock is free: to
    // another connection the table is an orphan. Where there is no other, the next sweep drops it.
    this.#session.markBroken()
    this.#lanes.destroy()
    await this.#session.terminate()
    const connect = () => this.#session.connect()
    await sweepStaging(connect, [this.staging.table.schema]).catch((failure: Error) => failure)
  }

  async #cleanUp(reason: Error): Promise<boolean> {
    try {
      await this.#lanes.abort(reason)
      if (isOneTransaction(this.#session)) await this.#session.client.query('rollback')
      await this.staging.drop()
      return true
    } catch {
      return false
    }
  }
}
