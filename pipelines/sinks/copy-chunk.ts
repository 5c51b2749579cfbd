import { CopyBuffer } from '../encoders/copy-buffer.ts'

/** The header of a CopyData message: its tag and its length. */
export const FRAME_BYTES = 5
export const COPY_DATA = 0x64

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
