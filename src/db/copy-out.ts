import { type Duplex, Readable } from 'node:stream'

import type { Connection, Submittable } from 'pg'

const COPY_DATA = 0x64
const COPY_DONE = 0x63
const ERROR = 0x45
/** The letter of a message and its length. */
const HEADER_BYTES = 5
const LENGTH_BYTES = 4

/** The network delivers at most 64 KiB at a time. */
const PIECES_AHEAD = 8

type Take = (bytes: Buffer) => void

/**
 * `COPY … TO STDOUT` on one connection. PostgreSQL sends a message for every row; what arrives
 * together is passed on as one piece, assembled in the memory that it came in, which its reader
 * may `free`. Leaving the loop early closes the connection.
 */
export class CopyOut extends Readable implements Submittable {
  readonly #text: string
  readonly #header = Buffer.alloc(HEADER_BYTES)
  /** How much of an incomplete header has arrived. */
  #headerBytes = 0
  /** How much of the current message is still to come. */
  #left = 0
  #isData = false
  #socket: Duplex | null = null
  /** What the connection does with arriving data. */
  #takeMessages: Take | null = null
  readonly #take: Take = (piece) => this.#split(piece)

  constructor(text: string) {
    super({ objectMode: true, highWaterMark: PIECES_AHEAD })
    this.#text = text
  }

  submit(connection: Connection): void {
    const socket = connection.stream
    const [takeMessages] = socket.listeners('data') as Take[]
    socket.off('data', takeMessages!)
    socket.on('data', this.#take)
    this.#socket = socket
    this.#takeMessages = takeMessages!
    connection.query(this.#text)
  }

  /** This and the next two methods are called by the connection. */
  handleError(error: Error): void {
    this.destroy(error)
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {}

  override _read(): void {
    this.#socket?.resume()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // Nobody reads on, so no more may arrive.
    this.#socket?.off('data', this.#take).pause()
    this.#socket = null
    done(error)
  }

  #split(piece: Buffer): void {
    const { length } = piece
    let at = 0
    let data = 0
    while (at < length) {
      if (this.#left > 0) {
        const bytes = Math.min(this.#left, length - at)
        if (this.#isData) {
          piece.copyWithin(data, at, at + bytes)
          data += bytes
        }
        at += bytes
        this.#left -= bytes
        continue
      }
      const isCut = this.#headerBytes > 0 || length - at < HEADER_BYTES
      if (isCut) {
        const bytes = Math.min(HEADER_BYTES - this.#headerBytes, length - at)
        piece.copy(this.#header, this.#headerBytes, at, at + bytes)
        at += bytes
        this.#headerBytes += bytes
        if (this.#headerBytes < HEADER_BYTES) break
        this.#headerBytes = 0
      }
      const header = isCut ? this.#header : piece
      const from = isCut ? 0 : at
      if (!isCut) at += HEADER_BYTES
      const code = header[from]
      if (code === COPY_DONE || code === ERROR) {
        this.#pass(piece.subarray(0, data))
        const begun = code === ERROR ? [header.subarray(from, from + HEADER_BYTES)] : []
        this.#end(Buffer.concat([...begun, piece.subarray(at)]), code === COPY_DONE)
        return
      }
      this.#isData = code === COPY_DATA
      this.#left = header.readInt32BE(from + 1) - LENGTH_BYTES
    }
    this.#pass(piece.subarray(0, data))
  }

  #pass(data: Buffer): void {
    if (data.length > 0 && !this.push(data)) this.#socket?.pause()
  }

  /** The connection continues with what follows. */
  #end(rest: Buffer, isWhole: boolean): void {
    const socket = this.#socket
    if (socket === null) return
    this.#socket = null
    socket.off('data', this.#take)
    socket.on('data', this.#takeMessages!)
    if (isWhole) this.push(null)
    if (rest.length > 0) this.#takeMessages!(rest)
    socket.resume()
  }
}

/**
 * Frees the memory of a piece that nobody reads any more. The garbage collector would wait until
 * there are 64 MiB of them, since they take hardly any of its own memory.
 */
export function free(piece: Buffer<ArrayBuffer>): void {
  piece.buffer.transfer(0)
}
