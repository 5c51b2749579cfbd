import { open } from 'node:fs/promises'
import { addAbortSignal, Readable } from 'node:stream'
import { constants, gunzipSync } from 'node:zlib'

import type { ByteSource } from '../../core/source.ts'
import { isGzip } from '../gunzip.ts'

const HEAD_BYTES = 4096
/** More than this need not come out of a head to tell what it is. */
const UNPACKED_HEAD_BYTES = 1 << 23

export interface Begun {
  /** The first bytes, as they came. */
  readonly bytes: Buffer
  /** What a gzip unpacks to; the same bytes where there is none. */
  readonly unpacked: Buffer
  /** The source from its first byte, as if nobody had looked. */
  readonly source: ByteSource
  /** Lets go of a source that nobody is going to read. */
  abandon(): void
}

/** Looks at the beginning of a source without reading anything twice. */
export async function begin(source: ByteSource, signal: AbortSignal): Promise<Begun> {
  if (source.path !== undefined) {
    return { ...headOf(await headOfFile(source.path)), source, abandon: () => undefined }
  }
  const stream = addAbortSignal(signal, await source.open(signal))
  try {
    const { bytes, whole } = await headOfStream(stream)
    return {
      ...headOf(bytes),
      source: continued(source, whole),
      abandon: () => void stream.destroy(),
    }
  } catch (error) {
    stream.destroy()
    throw error
  }
}

function headOf(bytes: Buffer): { bytes: Buffer; unpacked: Buffer } {
  return { bytes, unpacked: isGzip(bytes) ? unpackedHead(bytes) : bytes }
}

/** The end is missing, of course; what there is unpacks all the same. A broken start is the reader's. */
function unpackedHead(bytes: Buffer): Buffer {
  try {
    const cutShort = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: UNPACKED_HEAD_BYTES }
    return gunzipSync(bytes, cutShort)
  } catch {
    return bytes
  }
}

async function headOfFile(path: string): Promise<Buffer> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}

async function headOfStream(stream: Readable): Promise<{ bytes: Buffer; whole: Readable }> {
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]()
  const seen: Buffer[] = []
  let length = 0
  while (length < HEAD_BYTES) {
    const { value, done } = await chunks.next()
    if (done === true) break
    seen.push(value)
    length += value.length
  }
  const bytes = Buffer.concat(seen)
  const whole = Readable.from(
    (async function* () {
      yield* seen.splice(0)
      yield* { [Symbol.asyncIterator]: () => chunks }
    })(),
  )
  // Also where nobody has begun to read.
  whole.once('close', () => stream.destroy())
  return { bytes, whole }
}

/** The source whose stream is open already; to begin again it opens a new one as before. */
function continued(source: ByteSource, started: Readable): ByteSource {
  let first: Readable | null = started
  return {
    ...source,
    open: async (signal) => {
      const stream = first
      first = null
      return stream ?? source.open(signal)
    },
  }
}
