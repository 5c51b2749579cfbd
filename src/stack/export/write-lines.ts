import { addAbortSignal, type Writable } from 'node:stream'

import type { ClientBase } from 'pg'

import { copyOut } from '../../db/copy-out.ts'
import { fromStateInOrder, type TableState } from '../read/snapshot.ts'
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

/** The rows of the state in its order, one line per row. */
export async function writeLines(
  client: ClientBase,
  state: TableState,
  { values, format }: LineCopy,
  lines: LineMaker,
  out: Writable,
  signal: AbortSignal,
): Promise<void> {
  const select = `select ${values.join(', ')} ${fromStateInOrder(state)}`
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

const [LETTER_T] = Buffer.from('t')
const [TRUE, FALSE] = ['true', 'false'].map((word) => Buffer.from(word)) as [Buffer, Buffer]

/** By how many bytes a word is longer than its letter, at most. */
export const MORE_BYTES_OF_A_WORD = FALSE.length - 1

/** PostgreSQL writes `t` and `f`. */
export const booleanWord = (letter: number): Buffer => (letter === LETTER_T ? TRUE : FALSE)

/** Returns the position after what was written. */
export function putWord(out: Buffer, start: number, letter: number): number {
  const word = booleanWord(letter)
  const { length } = word
  for (let at = 0; at < length; at++) out[start + at] = word[at]!
  return start + length
}

/** Longer than the instant of any year. */
const MOST_BYTES = 64
/** By how many bytes an instant grows when it is rewritten, at most. */
export const MORE_BYTES = 2
export const INSTANT_BYTES = MOST_BYTES + MORE_BYTES

const MILLISECOND_DIGITS = 3
const UTC = '+00'.length
const [BLANK, POINT, PLUS, ZERO, T, Z] = Buffer.from(' .+0TZ') as Iterable<number> as number[]

/** An instant as PostgreSQL writes it, `2026-03-03 10:00:00.12+00`, in one piece or in several. */
export class InstantCell {
  readonly #held = Buffer.alloc(MOST_BYTES)
  #length = 0

  /**
   * Writes it as `2026-03-03T10:00:00.120Z` once its end has arrived; returns the position after
   * what was written.
   */
  put(out: Buffer, used: number, bytes: Buffer, from: number, to: number, isEnd: boolean): number {
    if (isEnd && this.#length === 0) return putInstant(out, used, bytes, from, to)
    if (this.#length + to - from > MOST_BYTES) throw new RangeError('No instant is so long')
    this.#length += bytes.copy(this.#held, this.#length, from, to)
    if (!isEnd) return used
    const length = this.#length
    this.#length = 0
    return putInstant(out, used, this.#held, 0, length)
  }
}

function putInstant(out: Buffer, start: number, bytes: Buffer, from: number, to: number): number {
  const end = to - UTC
  // A time before Christ, or one that is not a time, is left unchanged.
  const isInUtc = end > from && bytes[end] === PLUS && bytes[end + 1] === ZERO
  if (!isInUtc || bytes[end + 2] !== ZERO) return start + bytes.copy(out, start, from, to)
  let used = start
  let at = from
  for (; at < end && bytes[at] !== POINT; at++) {
    const byte = bytes[at]!
    out[used++] = byte === BLANK ? T! : byte
  }
  out[used++] = POINT!
  for (let digit = 1; digit <= MILLISECOND_DIGITS; digit++) {
    out[used++] = at + digit < end ? bytes[at + digit]! : ZERO!
  }
  out[used++] = Z!
  return used
}
