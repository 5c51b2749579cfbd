import { setTimeout as delay } from 'node:timers/promises'
import { closeSync, readSync, writeSync } from 'node:fs'

import type { ClientBase } from 'pg'

import type { TableName, CopyTarget } from '../core/engine.ts'
import { type ColumnPlan, ROW_COLUMN } from '../core/plan.ts'
import { CopyChunk, FRAME_BYTES, CopyLanes } from './copy-lanes.ts'
import { sinkStep } from './errors.ts'
import type { LoadSession } from './load-session.ts'
import { storedText, type Message } from '../core/message.ts'
import { createScratchFile, type ScratchFile } from '../core/scratch-file.ts'
import type { CopyBuffer } from '../encoders/copy-buffer.ts'
import { pictured } from '../cells/cell-messages.ts'

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

export function quoteTable({ schema, table }: TableName): string {
  return `${quoteName(schema)}.${quoteName(table)}`
}

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

const COLUMNS = ['row', 'line', 'column', 'value', 'message', 'raw'] as const

/** A row that was skipped, with the invalid cell, or none if its structure was broken. */
export interface RejectedRow {
  readonly row: number
  readonly line: number | null
  readonly column: string | null
  readonly value: string | null
  readonly message: Message
  readonly raw: string
}

/**
 * Rejected rows, kept as COPY bytes until the load is finished: in memory while they are few, in a
 * file when they are many, so that the connections are free for the rows to be loaded.
 */
export class RejectLog {
  /** In the order in which they are copied. */
  readonly columns: readonly string[]
  readonly #tempDir: string
  readonly #load: number | null
  readonly #pages: number[] = []
  #file: ScratchFile | null = null
  #page = new CopyChunk()
  #count = 0

  /** `load` is stored with each of them; null: the rejects belong to a single load. */
  constructor(tempDir: string, load: number | null) {
    this.#tempDir = tempDir
    this.#load = load
    this.columns = load === null ? COLUMNS : ['load', ...COLUMNS]
  }

  get count(): number {
    return this.#count
  }

  add(reject: RejectedRow): void {
    const page = this.#page
    page.int16(this.columns.length)
    if (this.#load !== null) page.int8Field(this.#load)
    page.int8Field(reject.row)
    if (reject.line === null) page.null()
    else page.int8Field(reject.line)
    // Without a load, people read the table themselves, without the catalogue of messages.
    const message = this.#load === null ? String(reject.message) : storedText(reject.message)
    for (const text of [reject.column, reject.value, message, reject.raw]) {
      writeText(page, text)
    }
    this.#count++
    if (page.isFull) this.#spill()
  }

  /** Copies everything into the table for rejects. */
  async copyInto(client: ClientBase, table: TableName): Promise<void> {
    const columns = this.columns.map(quoteName).join(', ')
    const lanes = new CopyLanes(`copy ${quoteTable(table)} (${columns}) from stdin (format binary)`)
    await lanes.add(client)
    try {
      await this.#copyTo(lanes)
    } catch (error) {
      await lanes.abort(error as Error)
      throw error
    }
  }

  async #copyTo(lanes: CopyLanes): Promise<void> {
    let offset = 0
    for (const length of this.#pages) {
      await lanes.available()
      const chunk = lanes.take()!
      chunk.reserve(length)
      readSync(this.#file!.fd, chunk.bytes, FRAME_BYTES, length, offset)
      chunk.length = FRAME_BYTES + length
      offset += length
      lanes.send(chunk)
    }
    if (!this.#page.isEmpty) {
      lanes.send(this.#page)
      this.#page = new CopyChunk()
    }
    await lanes.finish()
  }

  close(): void {
    if (this.#file === null) return
    closeSync(this.#file.fd)
    this.#file.remove()
    this.#file = null
  }

  #spill(): void {
    this.#file ??= createScratchFile(this.#tempDir)
    const { fd } = this.#file
    const length = this.#page.length - FRAME_BYTES
    let written = 0
    while (written < length) {
      written += writeSync(fd, this.#page.bytes, FRAME_BYTES + written, length - written)
    }
    this.#pages.push(length)
    this.#page.clear()
  }
}

function writeText(out: CopyBuffer, text: string | null): void {
  if (text === null) return out.null()
  const bytes = Buffer.from(pictured(text))
  out.int32(bytes.length)
  out.reserve(bytes.length)
  bytes.copy(out.bytes, out.length)
  out.length += bytes.length
}
