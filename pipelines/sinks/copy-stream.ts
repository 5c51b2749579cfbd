import type { ClientBase, Connection, Submittable } from 'pg'

import { COPY_DATA, type CopyChunk, FRAME_BYTES } from './copy-chunk.ts'

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
export class CopyStream implements Submittable {
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
