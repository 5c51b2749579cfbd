import { CopyBuffer } from '../encoders/copy-buffer.ts'

/** The header of a CopyData message: its tag and its length. */
export const FRAME_BYTES = 5

/**
 * Large enough that a system call per chunk costs nothing, small enough to stay in the cache. Of every
 * load there are several, and malloc keeps what many loads at once have taken.
 */
const CHUNK_BYTES = 128 * 1024
/** Past this it is sent, so that rows of an ordinary size never make a chunk grow. */
export const FULL_BYTES = 96 * 1024

/** Encoded rows to be sent as one message. They begin behind the room for the message's header. */
export class CopyChunk extends CopyBuffer {
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

  /** Ready to be filled again; the memory that an enormous row took is let go. */
  clear(): void {
    if (this.bytes.length > CHUNK_BYTES) this.replace(Buffer.allocUnsafe(CHUNK_BYTES))
    this.length = FRAME_BYTES
  }
}
