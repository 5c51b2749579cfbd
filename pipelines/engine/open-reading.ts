import { open } from 'node:fs/promises'
import { addAbortSignal, Readable } from 'node:stream'
import { constants, gunzipSync } from 'node:zlib'

import { EngineError } from '../core/errors.ts'
import type { Format, InputHead } from '../core/format.ts'
import type { IngestOptions } from '../core/options.ts'
import type { ReadContext, Reading } from '../core/reader.ts'
import type { ByteSource, Source } from '../core/source.ts'
import { isGzip } from '../input/gunzip.ts'
import type { EngineParts } from './engine-parts.ts'

const HEAD_BYTES = 4096

/** Finds who can read the source, by its content where the options do not say, and begins. */
export async function openReading(
  parts: EngineParts,
  source: Source,
  options: IngestOptions,
  signal: AbortSignal,
): Promise<Reading> {
  const { limits, tempDir } = parts
  const context: ReadContext = { options, limits, tempDir, signal }
  const reading = await openSource(parts, source, context)
  return parts.stages.length === 0 ? reading : staged(reading, parts)
}

async function openSource(
  parts: EngineParts,
  source: Source,
  context: ReadContext,
): Promise<Reading> {
  if (source.kind === 'records') return parts.records.open(source, context)
  const { format } = context.options
  if (format !== undefined) return named(parts, format).reader.open(source, context)
  if (source.path !== undefined) {
    const head = await headOfFile(source.path)
    return recognised(parts, head).reader.open(source, context)
  }
  const stream = await source.open(context.signal)
  try {
    const { head, whole } = await headOfStream(addAbortSignal(context.signal, stream))
    return await recognised(parts, head).reader.open(continued(source, whole), context)
  } catch (error) {
    stream.destroy()
    throw error
  }
}

interface BegunStream {
  readonly head: Buffer
  /** The stream from its first byte, as if nobody had looked. */
  readonly whole: Readable
}

async function headOfStream(stream: Readable): Promise<BegunStream> {
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]()
  const seen: Buffer[] = []
  let length = 0
  while (length < HEAD_BYTES) {
    const { value, done } = await chunks.next()
    if (done === true) break
    seen.push(value)
    length += value.length
  }
  const whole = Readable.from(
    (async function* () {
      yield* seen.splice(0)
      yield* { [Symbol.asyncIterator]: () => chunks }
    })(),
  )
  // Also where nobody has begun to read.
  whole.once('close', () => stream.destroy())
  return { head: Buffer.concat(seen), whole }
}

function named({ formats }: EngineParts, name: string): Format {
  const format = formats.get(name)
  if (format !== undefined) return format
  const known = formats.names.join(', ')
  throw new EngineError(`The format «${name}» is not one of ${known}`, {
    kind: 'options',
    pointer: '/format',
  })
}

function recognised({ formats }: EngineParts, bytes: Buffer): Format {
  const head: InputHead = { bytes, unpacked: isGzip(bytes) ? unpackedHead(bytes) : bytes }
  for (const format of formats) if (format.recognises(head)) return format
  throw new EngineError(`The input is none of ${formats.names.join(', ')}`, { kind: 'format' })
}

/** The end is missing, of course; what there is unpacks all the same. A broken start is the reader's. */
function unpackedHead(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1 << 23 })
  } catch {
    return bytes
  }
}

async function headOfFile(path: string): Promise<Buffer> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return buffer.subarray(0, bytesRead)
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

/** Shows every batch to the stages before anybody else sees it. */
function staged(reading: Reading, { stages }: EngineParts): Reading {
  return {
    reader: reading.reader,
    get headers() {
      return reading.headers
    },
    get misjudged() {
      return reading.misjudged ?? null
    },
    get bytesRead() {
      return reading.bytesRead
    },
    async next() {
      const batch = await reading.next()
      if (batch !== null) for (const stage of stages) stage.apply(batch, reading.headers)
      return batch
    },
    rawRow: (batch, row) => reading.rawRow(batch, row),
    place: (batch, row, column) => reading.place(batch, row, column),
    describe: () => reading.describe(),
    close: () => reading.close(),
  }
}
