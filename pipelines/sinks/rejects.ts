import { closeSync, readSync, writeSync } from 'node:fs'

import type { ClientBase } from 'pg'

import type { TableName } from '../core/engine.ts'
import { storedText, type Message } from '../core/message.ts'
import { createScratchFile, type ScratchFile } from '../core/scratch-file.ts'
import type { CopyBuffer } from '../encoders/copy-buffer.ts'
import { pictured } from '../cells/cell-messages.ts'
import { CopyChunk, FRAME_BYTES } from './copy-chunk.ts'
import { CopyLanes } from './copy-lanes.ts'
import { quoteName, quoteTable } from './sql.ts'

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
