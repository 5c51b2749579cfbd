import type { ColumnPlan } from '../core/plan.ts'
import { CopyChunk } from './copy-chunk.ts'
import { CopyLanes } from './copy-lanes.ts'
import type { LoadSession } from './load-session.ts'
import type { RejectLog } from './rejects.ts'
import { quoteName, quoteTable, ROW_COLUMN } from './sql.ts'
import { Staging, sweepStaging } from './staging.ts'

/** How long a COPY may take to give up before its backend is terminated. */
const ABORT_PATIENCE_MS = 1000

/** One pass of rows into a staging table: filled chunk by chunk, then published or given up. */
export class TableLoad {
  readonly staging: Staging
  readonly #session: LoadSession
  readonly #lanes: CopyLanes

  private constructor(session: LoadSession, staging: Staging, lanes: CopyLanes) {
    this.#session = session
    this.staging = staging
    this.#lanes = lanes
  }

  static async open(
    session: LoadSession,
    schema: string,
    columns: readonly ColumnPlan[],
    prepare: (staging: Staging) => Promise<void>,
  ): Promise<TableLoad> {
    const staging = await Staging.create(session.client, schema, columns)
    const lanes = new CopyLanes(
      `copy ${quoteTable(staging.table)} (${[quoteName(ROW_COLUMN), ...columns.map((c) => quoteName(c.column))].join(', ')}) from stdin (format binary)`,
    )
    const load = new TableLoad(session, staging, lanes)
    try {
      await prepare(staging)
      await Promise.all(session.clients.map((client) => lanes.add(client)))
      return load
    } catch (error) {
      await load.abort(error as Error)
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
  async abort(error: Error): Promise<void> {
    const timeout = setTimeout(() => void this.#session.terminate(), ABORT_PATIENCE_MS)
    try {
      await this.#lanes.abort(error)
      await this.staging.drop()
    } catch {
      // The connection is gone and its lock with it: to another one the table is an orphan. Where
      // there is no other one either, the next sweep drops it.
      this.#session.markBroken()
      const connect = () => this.#session.connect()
      await sweepStaging(connect, [this.staging.table.schema]).catch((failure: Error) => failure)
    } finally {
      clearTimeout(timeout)
    }
  }
}
