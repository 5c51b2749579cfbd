import { CopyBuffer } from '../encoders/copy-buffer.ts'

/** The header of a CopyData message: its tag and its length. */
export const FRAME_BYTES = 5
export const COPY_DATA = 0x64

/**
 * Large enough that a system call per chunk costs nothing, small enough to stay in the cache. Of every
 * load there are several, and malloc keeps what many loads at once have taken.
 */
const CHUNK_BYTES = 128 * 1024
/** Past this it is sent, so that rows of an ordinary size never make a chunk grow. */
const FULL_BYTES = 96 * 1024
/**
 * The backend gathers a message before it reads the first row of it, and copies it once more on the way: what is
 * small is still in the nearest cache then (docs/adr/0076-what-the-backend-holds-at-once.md).
 */
const MESSAGE_BYTES = 16 * 1024

/** Encoded rows to be sent in one go: messages of whole rows, with the room for its header in front of each. */
export class CopyChunk extends CopyBuffer {
  /** Where the open one begins. */
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

  /** Where the message that takes the next rows has enough of them; one that has is followed by another. */
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

  /** Ready to be filled again; the memory that an enormous row took is let go. */
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
