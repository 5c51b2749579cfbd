import { addAbortSignal, type Writable } from 'node:stream'

import type { ClientBase } from 'pg'

import { copyOut } from '../../db/copy-out.ts'
import { fromState, type TableState } from '../read/snapshot.ts'
import { ROW } from '../table/partitions.ts'
import { writeTo } from './export-stream.ts'

interface LineCopy {
  /** The SQL expression of each column. */
  readonly values: readonly string[]
  /** The format options of COPY. */
  readonly format: string
}

/** Makes lines of what COPY sends, in chunks of its own. */
export interface LineMaker {
  take(piece: Buffer): readonly Buffer[]
  /** What is left once all pieces were taken. */
  rest(): Buffer
}

/** The whole table in its own order, one line per row. */
export async function writeLines(
  client: ClientBase,
  state: TableState,
  { values, format }: LineCopy,
  lines: LineMaker,
  out: Writable,
  signal: AbortSignal,
): Promise<void> {
  const select = `select ${values.join(', ')} ${fromState(state)} order by ${ROW}`
  const copy = copyOut(client, `copy (${select}) to stdout (${format})`)
  for await (const piece of addAbortSignal(signal, copy)) {
    const chunks = lines.take(piece)
    for (const chunk of chunks) await writeTo(out, chunk, signal)
  }
  await writeTo(out, lines.rest(), signal)
}

/** PostgreSQL sends a few kilobytes at a time, too little for a write each. */
const CHUNK_BYTES = 256 * 1024

/** Collects lines in chunks that are handed on when they are full. */
export class LineChunks {
  bytes = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  used = 0
  #full: Buffer[] = []

  /** Makes room for this many bytes; may replace `bytes` and `used`. */
  reserve(more: number): void {
    if (this.bytes.length - this.used >= more) return
    if (this.used > 0) this.#full.push(this.bytes.subarray(0, this.used))
    this.bytes = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, more))
    this.used = 0
  }

  put(bytes: Buffer): void {
    this.reserve(bytes.length)
    this.used += bytes.copy(this.bytes, this.used)
  }

  putByte(byte: number): void {
    this.reserve(1)
    this.bytes[this.used++] = byte
  }

  /** The full chunks. They are not reused, so they may be sent later. */
  takeFull(): readonly Buffer[] {
    const full = this.#full
    if (full.length > 0) this.#full = []
    return full
  }

  /** What is left at the end. */
  takeRest(): Buffer {
    return this.bytes.subarray(0, this.used)
  }
}
