import type { Readable, TransformOptions } from 'node:stream'
import { crc32, createInflateRaw, type ZlibOptions } from 'node:zlib'

import type { Entry, ZipFile } from 'yauzl'

import type { EngineError } from '../../core/errors.ts'
import type { ArchiveWording, CountedFlow } from '../../core/input.ts'
import type { EngineLimits } from '../../core/limits.ts'
import { unpackingBudget } from '../flows/unpacking-budget.ts'
import { damagedArchive, unknownMethod } from './wording.ts'
import type { Message } from '../../core/message.ts'
import { placeMessages } from '../../core/place-messages.ts'
import { packingMessages } from '../flows/packing-messages.ts'

const CHUNK_BYTES = 64 * 1024
/** How far decompression, which runs in another thread, may get ahead of this one. */
const READ_AHEAD_BYTES = 4 * CHUNK_BYTES
const INFLATING: ZlibOptions & TransformOptions = {
  chunkSize: CHUNK_BYTES,
  highWaterMark: READ_AHEAD_BYTES,
}

const STORED = 0
const DEFLATED = 8

type Damaged = (reason: Message, cause?: unknown) => EngineError

/** Decompresses one entry, and checks its size, its checksum and the limits. */
export async function readEntry(
  zip: ZipFile,
  entry: Entry,
  limits: EngineLimits,
  wording: ArchiveWording,
): Promise<CountedFlow> {
  if (entry.isEncrypted()) throw wording.encrypted()
  const damaged: Damaged = (reason, cause) =>
    damagedArchive(wording, placeMessages.fault({ place: entry.fileName, fault: reason }), cause)
  const compressed = await openRaw(zip, entry, damaged)
  const expansion = expand(compressed, entry, wording)
  const chunks: AsyncIterator<Buffer> = expansion.output[Symbol.asyncIterator]()
  let consumed = 0
  const budget = unpackingBudget(limits, () => consumed)
  let size = 0
  let checksum = 0
  return {
    get bytesRead() {
      return consumed
    },
    async next() {
      const chunk = await nextChunk(chunks, damaged)
      if (chunk === null) {
        if (size !== entry.uncompressedSize) throw damaged(packingMessages.size())
        if (checksum !== entry.crc32) throw damaged(packingMessages.checksum())
        return null
      }
      size += chunk.length
      consumed = expansion.consumedFor(size)
      budget.count(chunk.length)
      if (size > entry.uncompressedSize) throw damaged(packingMessages.longer())
      checksum = crc32(chunk, checksum)
      return chunk
    },
    async close() {
      compressed.destroy()
      expansion.output.destroy()
    },
  }
}

async function openRaw(zip: ZipFile, entry: Entry, damaged: Damaged): Promise<Readable> {
  try {
    return await zip.openReadStreamPromise(entry, { decodeFileData: false })
  } catch (error) {
    throw damaged(packingMessages.outside(), error)
  }
}

interface Expansion {
  readonly output: Readable
  /** How many compressed bytes this much output came from. */
  consumedFor(outputBytes: number): number
}

/**
 * Both streams start by themselves: an error before anyone asks for the first bytes would have no
 * listener but these, and is reported when they are asked for.
 */
function expand(compressed: Readable, entry: Entry, wording: ArchiveWording): Expansion {
  if (entry.compressionMethod === STORED) {
    compressed.on('error', () => compressed.destroy())
    return { output: compressed, consumedFor: (outputBytes) => outputBytes }
  }
  if (entry.compressionMethod !== DEFLATED) {
    compressed.destroy()
    throw unknownMethod(wording, entry.fileName, entry.compressionMethod)
  }
  const inflater = createInflateRaw(INFLATING)
  inflater.on('error', () => compressed.destroy())
  compressed.on('error', (error) => inflater.destroy(error))
  return { output: compressed.pipe(inflater), consumedFor: () => inflater.bytesWritten }
}

async function nextChunk(chunks: AsyncIterator<Buffer>, damaged: Damaged): Promise<Buffer | null> {
  try {
    const { value, done } = await chunks.next()
    return done === true ? null : value
  } catch (error) {
    throw damaged(packingMessages.inflate(), error)
  }
}
