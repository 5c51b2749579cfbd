import { Readable } from 'node:stream'

import { MiB } from '../core/mebibyte.ts'
import type { ByteSource } from '../core/source.ts'

/** Of a stream that may not come again, so much is kept to try remedies on. */
const MOST_BYTES = 4 * MiB
const LINE_FEED = 0x0a

interface Remembered {
  /** To be read in the place of the source. */
  readonly source: ByteSource
  /** What was read of it, as a source; null if nothing can be tried on that. */
  again(): ByteSource | null
}

/** Keeps the first bytes that a stream gives; stored bytes are simply opened again. */
export function rememberWhatIsRead(source: ByteSource): Remembered {
  if (source.path !== undefined || source.openRange !== undefined) {
    return { source, again: () => source }
  }
  const chunks: Buffer[] = []
  let size = 0
  let isCut = false
  let hasEnded = false
  return {
    source: {
      ...source,
      open: (signal) => source.open(signal),
      onRead(chunk) {
        if (chunk === null || hasEnded) hasEnded = true
        else if (size >= MOST_BYTES) isCut = true
        else {
          // Readers change the bytes that they are given.
          chunks.push(Buffer.from(chunk))
          size += chunk.length
        }
      },
    },
    again() {
      const bytes = Buffer.concat(chunks)
      const kept = hasEnded && !isCut ? bytes : wholeLines(bytes)
      if (kept === null) return null
      const { name } = source
      const open = async () => Readable.from([kept])
      return { kind: 'bytes', ...(name !== undefined && { name }), size: kept.length, open }
    },
  }
}

/** Null for what is packed, or has no lines: half of it is nothing. */
function wholeLines(bytes: Buffer): Buffer | null {
  const isPacked = bytes[0] === 0x1f || bytes.subarray(0, 2).toString('latin1') === 'PK'
  const end = bytes.lastIndexOf(LINE_FEED) + 1
  return isPacked || end === 0 ? null : bytes.subarray(0, end)
}
