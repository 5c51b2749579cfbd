import { availableParallelism } from 'node:os'

import type { ClientBase, Connection, Submittable } from 'pg'

import { CopyBuffer } from '../encoders/copy-buffer.ts'
import { asSinkError } from './errors.ts'
import type { Message } from '../core/message.ts'
import { streamMessages } from './stream-messages.ts'

/** The header of a CopyData message: its tag and its length. */
export const FRAME_BYTES = 5
const COPY_DATA = 0x64

/**
 * Large enough that a system call per chunk costs nothing, small enough to stay in the cache.
 * Every load has several, and malloc keeps what many concurrent loads have taken.
 */
const CHUNK_BYTES = 128 * 1024
/** A chunk is sent beyond this size, so that rows of ordinary size never make it grow. */
const FULL_BYTES = 96 * 1024
/**
 * The backend collects a whole message before it reads the first row of it, and copies it once
 * more: a small one is then still in the nearest cache
 * (docs/adr/0076-what-the-backend-holds-at-once.md).
 */
const MESSAGE_BYTES = 16 * 1024

/**
 * Encoded rows that are sent in one go: messages of whole rows, with room for its header in front
 * of each.
 */
export class CopyChunk extends CopyBuffer {
  /** Where the open message begins. */
  #message = 0

  constructor() {
    super(CHUNK_BYTES)
    this.length = FRAME_BYTES
  }

  get isEmpty(): boolean {
    return this.length === FRAME_BYTES
  }

  get isFull(): boolean {
    return this.length >= FULL_BYTES
  }

  /** Finds the message for the next rows; a message that has enough is followed by a new one. */
  openMessage(): number {
    if (this.length >= this.#messageEnd) {
      this.#closeMessage()
      this.#message = this.length
      this.reserve(FRAME_BYTES)
      this.length += FRAME_BYTES
    }
    return this.#messageEnd
  }

  /** The bytes to be sent. */
  close(): Buffer {
    this.#closeMessage()
    return this.bytes.subarray(0, this.length)
  }

  /** Makes the chunk ready to be filled again; memory that an enormous row took is given up. */
  clear(): void {
    if (this.bytes.length > CHUNK_BYTES) this.replace(Buffer.allocUnsafe(CHUNK_BYTES))
    this.#message = 0
    this.length = FRAME_BYTES
  }

  get #messageEnd(): number {
    return this.#message + FRAME_BYTES + MESSAGE_BYTES
  }

  #closeMessage(): void {
    this.bytes[this.#message] = COPY_DATA
    this.patchInt32(this.#message + 1, this.length - this.#message - 1)
  }
}

/** For every stream: one being filled, one on the wire and one in the socket's queue. */
const CHUNKS_PER_LANE = 3

interface Lane {
  readonly stream: CopyStream
  queued: number
}

/**
 * COPY streams into one table, filled in turn. The chunks provide the back-pressure: their number
 * is limited, and a chunk is free again when the kernel has taken its bytes.
 */
export class CopyLanes {
  readonly #copy: string
  readonly #lanes: Lane[] = []
  readonly #free: CopyChunk[] = []
  #waiting: PromiseWithResolvers<void> | null = null
  #failure: Error | null = null

  constructor(copy: string) {
    this.#copy = copy
  }

  get count(): number {
    return this.#lanes.length
  }

  get failure(): Error | null {
    return this.#failure
  }

  async add(client: ClientBase): Promise<void> {
    const stream = await CopyStream.open(client, this.#copy)
    stream.done.catch((error: Error) => this.fail(asSinkError(error, 'taking rows')))
    this.#lanes.push({ stream, queued: 0 })
    for (let i = 0; i < CHUNKS_PER_LANE; i++) this.#release(new CopyChunk())
  }

  /** A chunk to fill, or null while the database is behind. */
  take(): CopyChunk | null {
    if (this.#failure !== null) throw this.#failure
    return this.#free.pop() ?? null
  }

  /** Settles when `take` has a chunk; rejects if it never will. */
  async available(): Promise<void> {
    if (this.#failure !== null) throw this.#failure
    if (this.#free.length > 0) return
    this.#waiting ??= Promise.withResolvers()
    await this.#waiting.promise
  }

  /** Sends a filled chunk on the stream with the least to do. */
  send(chunk: CopyChunk): void {
    let lane = this.#lanes[0]!
    for (const other of this.#lanes) if (other.queued < lane.queued) lane = other
    lane.queued++
    lane.stream.send(chunk, () => {
      lane.queued--
      chunk.clear()
      this.#release(chunk)
    })
  }

  /** Ends every COPY; returns the total number of rows that PostgreSQL counted. */
  async finish(): Promise<number> {
    const counts = await Promise.all(this.#lanes.map((lane) => lane.stream.finish()))
    return counts.reduce((sum, rows) => sum + rows, 0)
  }

  /** From now on nobody waits for a chunk in vain. */
  fail(error: Error): void {
    this.#failure ??= error
    this.#waiting?.reject(this.#failure)
    this.#waiting = null
  }

  /** Makes PostgreSQL discard what it was sent; settles when every stream has ended. */
  async abort(reason: Error): Promise<void> {
    this.fail(reason)
    for (const lane of this.#lanes)
      if (lane.stream.failure === null) lane.stream.fail(reason.message)
    await Promise.allSettled(this.#lanes.map((lane) => lane.stream.done))
  }

  /** For a server that does not answer: closes the connections. */
  destroy(): void {
    for (const { stream } of this.#lanes) stream.destroy()
  }

  #release(chunk: CopyChunk): void {
    this.#free.push(chunk)
    this.#waiting?.resolve()
    this.#waiting = null
  }
}

const COPY_DONE = 0x63
const COPY_FAIL = 0x66

/** `PGCOPY`, no flags, no header extension. */
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
/** In place of a row's field count: no more rows. */
const TRAILER = Buffer.from([0xff, 0xff])

/**
 * One `COPY ... FROM STDIN (FORMAT binary)` on one connection. It speaks the protocol itself: a
 * chunk has room for the headers of its messages, so that sending takes one write and no copying.
 */
class CopyStream implements Submittable {
  readonly #text: string
  readonly #ready = Promise.withResolvers<void>()
  readonly #done = Promise.withResolvers<number>()
  #connection: Connection | null = null
  #failure: Error | null = null
  #rows = 0

  constructor(text: string) {
    this.#text = text
    // Both may fail while nobody waits: the failure is kept, and thrown at the next call.
    const keep = (error: Error) => {
      this.#failure = error
    }
    this.#ready.promise.catch(keep)
    this.#done.promise.catch(keep)
  }

  static async open(client: ClientBase, copy: string): Promise<CopyStream> {
    const stream = client.query(new CopyStream(copy))
    await stream.#ready.promise
    stream.#write(framed(COPY_DATA, SIGNATURE))
    return stream
  }

  get failure(): Error | null {
    return this.#failure
  }

  /** Settles with the rows that PostgreSQL counted, or with the error that ended the COPY. */
  get done(): Promise<number> {
    return this.#done.promise
  }

  /** `written` is called once the chunk's memory is free again. */
  send(chunk: CopyChunk, written: () => void): void {
    this.#write(chunk.close(), written)
  }

  async finish(): Promise<number> {
    this.#write(framed(COPY_DATA, TRAILER))
    this.#write(framed(COPY_DONE, Buffer.alloc(0)))
    return this.#done.promise
  }

  /** Asks PostgreSQL to abandon the COPY; `done` then rejects. */
  fail(reason: string): void {
    this.#write(framed(COPY_FAIL, Buffer.from(`${reason}\0`)))
  }

  destroy(): void {
    this.#connection?.stream.destroy()
  }

  #write(bytes: Buffer, written?: () => void): void {
    if (this.#connection === null || this.#failure !== null) written?.()
    else this.#connection.stream.write(bytes, written)
  }

  // The following methods are called by pg.

  submit(connection: Connection): void {
    this.#connection = connection
    connection.query(this.#text)
  }

  handleCopyInResponse(): void {
    this.#ready.resolve()
  }

  handleError(error: Error): void {
    this.#failure = error
    this.#ready.reject(error)
    this.#done.reject(error)
  }

  handleCommandComplete(message: { text: string }): void {
    this.#rows = Number(message.text.slice('COPY '.length))
  }

  handleReadyForQuery(): void {
    this.#done.resolve(this.#rows)
  }
}

function framed(tag: number, body: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(FRAME_BYTES + body.length)
  bytes[0] = tag
  bytes.writeInt32BE(body.length + 4, 1)
  body.copy(bytes, FRAME_BYTES)
  return bytes
}

/** How many COPY streams a load should have, and why. */
export interface StreamChoice {
  readonly count: number
  readonly because: Message
}

/** Two backends can keep up with one engine. */
const ELSEWHERE = 2
/** With more of them, they wait for each other's WAL. */
const MOST_HERE = 4

interface ServerState {
  readonly keepsLittleWal: boolean
  readonly isHere: boolean
  readonly busy: number
}

/** Asks the server, which knows best where it is: an address of this machine may lead anywhere. */
const ASK = `
  select current_setting('wal_level') = 'minimal' as "keepsLittleWal",
         coalesce(host(inet_server_addr()) = host(inet_client_addr())
                  or host(inet_server_addr()) in ('127.0.0.1', '::1'), true) as "isHere",
         (select count(*)::integer from pg_stat_activity
          where backend_type = 'client backend' and state = 'active'
            and pid <> pg_backend_pid()) as busy`

/** `said`: the number from the request or the settings. */
export async function chooseStreams(
  client: ClientBase,
  said: number | null,
): Promise<StreamChoice> {
  if (said !== null) return { count: said, because: streamMessages.said() }
  const { rows } = await client.query<ServerState>(ASK)
  return chooseFor(rows[0]!, availableParallelism())
}

/** On a shared machine the engine takes one core, and so does each other active client. */
export function chooseFor(
  { keepsLittleWal, isHere, busy }: ServerState,
  cores: number,
): StreamChoice {
  if (keepsLittleWal) return { count: 1, because: streamMessages.littleWal() }
  if (!isHere) return { count: ELSEWHERE, because: streamMessages.elsewhere() }
  const count = Math.min(MOST_HERE, Math.max(1, cores - 1 - busy))
  return { count, because: streamMessages.here({ cores, busy }) }
}
