import type { Readable, TransformOptions } from 'node:stream'
import { crc32, createInflateRaw, type ZlibOptions } from 'node:zlib'

import type { Entry, ZipFile } from 'yauzl'

import { EngineError } from '../../../core/errors.ts'
import type { EngineLimits } from '../../../core/limits.ts'
import type { CountedFlow } from '../../../input/byte-flow.ts'
import { expansionGuard } from '../../../input/expansion-guard.ts'
import { refusedEncrypted } from './refused-containers.ts'

const CHUNK_BYTES = 64 * 1024
/** How far inflating, which runs beside this thread, may get ahead of it. */
const READ_AHEAD_BYTES = 4 * CHUNK_BYTES
const INFLATING: ZlibOptions & TransformOptions = {
  chunkSize: CHUNK_BYTES,
  highWaterMark: READ_AHEAD_BYTES,
}

const STORED = 0
const DEFLATED = 8

/** Inflates one entry, holding it to its own size and checksum and to the limits. */
export async function readEntry(
  zip: ZipFile,
  entry: Entry,
  limits: EngineLimits,
): Promise<CountedFlow> {
  if (entry.isEncrypted()) throw refusedEncrypted()
  const compressed = await openRaw(zip, entry)
  const expansion = expand(compressed, entry)
  const chunks: AsyncIterator<Buffer> = expansion.output[Symbol.asyncIterator]()
  const guard = expansionGuard(limits)
  let consumed = 0
  let size = 0
  let checksum = 0
  return {
    get bytesRead() {
      return expansion.consumed()
    },
    async next() {
      const chunk = await nextChunk(chunks, entry)
      if (chunk === null) {
        if (size !== entry.uncompressedSize) throw damaged(entry, 'its size is wrong')
        if (checksum !== entry.crc32) throw damaged(entry, 'its checksum is wrong')
        return null
      }
      guard.compressed(expansion.consumed() - consumed)
      consumed = expansion.consumed()
      guard.expanded(chunk.length)
      size += chunk.length
      if (size > entry.uncompressedSize) throw damaged(entry, 'it is longer than it says')
      checksum = crc32(chunk, checksum)
      return chunk
    },
    async close() {
      compressed.destroy()
      expansion.output.destroy()
    },
  }
}

async function openRaw(zip: ZipFile, entry: Entry): Promise<Readable> {
  try {
    return await zip.openReadStreamPromise(entry, { decodeFileData: false })
  } catch (error) {
    throw damaged(entry, 'it lies outside of the file', error)
  }
}

interface Expansion {
  readonly output: Readable
  /** Compressed bytes that the output so far came from. */
  consumed(): number
}

function expand(compressed: Readable, entry: Entry): Expansion {
  if (entry.compressionMethod === STORED) {
    return { output: compressed, consumed: () => entry.compressedSize }
  }
  if (entry.compressionMethod !== DEFLATED) {
    compressed.destroy()
    throw damaged(entry, `compression method ${entry.compressionMethod} is not one of a workbook`)
  }
  const inflater = createInflateRaw(INFLATING)
  compressed.on('error', (error) => inflater.destroy(error))
  return { output: compressed.pipe(inflater), consumed: () => inflater.bytesWritten }
}

async function nextChunk(chunks: AsyncIterator<Buffer>, entry: Entry): Promise<Buffer | null> {
  try {
    const { value, done } = await chunks.next()
    return done === true ? null : value
  } catch (error) {
    throw damaged(entry, 'it cannot be inflated', error)
  }
}

function damaged(entry: Entry, reason: string, cause?: unknown): EngineError {
  return new EngineError(
    `The workbook is truncated or damaged (${entry.fileName}: ${reason}). Send the file again, or open it in a spreadsheet program and save it again as .xlsx.`,
    { kind: 'structure' },
    { cause },
  )
}
