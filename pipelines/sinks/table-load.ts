import { setTimeout as delay } from 'node:timers/promises'

import type { ClientBase } from 'pg'

import type { CopyTarget, TableName } from '../core/engine.ts'
import { type ColumnPlan, ROW_COLUMN } from '../core/plan.ts'
import type { CopyChunk } from './copy-chunk.ts'
import { CopyLanes } from './copy-lanes.ts'
import { sinkStep } from './errors.ts'
import type { LoadSession } from './load-session.ts'
import { quoteName, quoteTable } from './sql.ts'

/**
 * With minimal WAL, the transaction that created the table waits at its end until all of it is on
 * disk, so writing starts as the rows arrive.
 */
const WRITE_EARLY = `
  select set_config('backend_flush_after', '2MB', true) where current_setting('wal_level') = 'minimal'`

/** How long a COPY may take to give up before its backend is terminated. */
const ABORT_PATIENCE_MS = 1000

/** Where a pass sends its rows. */
export type RowSink = Pick<TableLoad, 'take' | 'available' | 'send' | 'fail' | 'abort'>

/**
 * One pass of rows into a table of the caller's. With one stream, the table is created and filled in
 * one transaction: with minimal WAL, PostgreSQL then logs none of the rows, and a crash leaves
 * nothing behind. Several streams all have to see the table, so it is committed before them.
 */
export class TableLoad {
  readonly table: TableName
  readonly #session: LoadSession
  readonly #lanes: CopyLanes
  /** Whether a transaction is open in which the table is, or is about to be, kept. */
  #isInTransaction: boolean
  #aborting: Promise<void> | null = null

  private constructor(
    table: TableName,
    session: LoadSession,
    { lanes, isInTransaction }: { readonly lanes: CopyLanes; readonly isInTransaction: boolean },
  ) {
    this.table = table
    this.#session = session
    this.#lanes = lanes
    this.#isInTransaction = isInTransaction
  }

  static async open(
    session: LoadSession,
    target: CopyTarget,
    columns: readonly ColumnPlan[],
  ): Promise<TableLoad> {
    const { client, clients } = session
    const isAlone = clients.length === 1
    try {
      await client.query('begin')
      if (isAlone) await client.query(WRITE_EARLY)
      const table = await target.renew(client, columns)
      if (!isAlone) await client.query('commit')
      // Nobody else can have seen what a transaction created, so vacuum need not visit its rows
      // later.
      const freeze = isAlone ? ', freeze' : ''
      const names = [ROW_COLUMN, ...columns.map(({ column }) => column)].map(quoteName)
      const lanes = new CopyLanes(
        `copy ${quoteTable(table)} (${names.join(', ')}) from stdin (format binary${freeze})`,
      )
      const load = new TableLoad(table, session, { lanes, isInTransaction: isAlone })
      try {
        await Promise.all(clients.map((each) => lanes.add(each)))
        return load
      } catch (error) {
        await load.abort(error as Error)
        throw error
      }
    } catch (error) {
      // A half-created table disappears with the connection when it closes.
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

  /** Wakes everyone who waits for the database. */
  fail(error: Error): void {
    this.#lanes.fail(error)
  }

  /** Ends the COPY; returns the number of rows that PostgreSQL counted. */
  finish(): Promise<number> {
    return this.#lanes.finish()
  }

  /**
   * The table is complete, and from now on outlives the connection, with what the work makes of it:
   * both or neither.
   */
  async keep<R>(work: (client: ClientBase) => Promise<R>): Promise<R> {
    const { client } = this.#session
    if (!this.#isInTransaction) {
      await sinkStep('storing the rows', () => client.query('begin'))
      this.#isInTransaction = true
    }
    const result = await work(client)
    this.#isInTransaction = false
    await sinkStep('storing the rows', () => client.query('commit')).catch((error: unknown) => {
      this.#session.markBroken()
      throw error
    })
    return result
  }

  /** PostgreSQL discards the rows at once, and the table with them unless it was committed. */
  abort(reason: Error): Promise<void> {
    return (this.#aborting ??= this.#abort(reason))
  }

  async #abort(reason: Error): Promise<void> {
    const patience = new AbortController()
    const isClean = await Promise.race([
      this.#cleanUp(reason),
      delay(ABORT_PATIENCE_MS, false, { signal: patience.signal }).catch(() => false),
    ])
    patience.abort()
    if (isClean) return
    // The connection is gone or does not answer. Once its backend has ended, nothing holds the
    // table.
    this.#session.markBroken()
    this.#lanes.destroy()
    await this.#session.terminate()
  }

  async #cleanUp(reason: Error): Promise<boolean> {
    try {
      await this.#lanes.abort(reason)
      // Connections that broke say so only when they are asked, and must not go back to others.
      const last = this.#isInTransaction ? 'rollback' : 'select'
      await Promise.all(this.#session.clients.map((client) => client.query(last)))
      return true
    } catch {
      return false
    }
  }
}
