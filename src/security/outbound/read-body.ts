import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

import { OutboundError } from './errors.ts'

export interface BodyLimits {
  /** Expanded size. */
  readonly maxBytes: number
  /** How many times larger than what came over the line it may be, past the first MiB. */
  readonly maxExpansion: number
}

const EXPANSION_FREE_BYTES = 1024 * 1024

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

export const ACCEPTED_ENCODINGS = 'gzip, deflate, br'

/** The body, expanded, or an error as soon as it is certain to be too large. */
export async function readBody(
  body: Readable,
  contentEncoding: string,
  limits: BodyLimits,
  signal: AbortSignal,
): Promise<Buffer> {
  const coding = contentEncoding.trim().toLowerCase()
  const chunks: Buffer[] = []
  const keep = (chunk: Buffer, size: number) => {
    if (size > limits.maxBytes) throw tooLarge(limits)
    chunks.push(chunk)
  }

  if (coding === '' || coding === 'identity') {
    await pipeline(body, counted(keep), { signal })
    return Buffer.concat(chunks)
  }
  const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined
  if (!decoder) {
    body.destroy()
    throw new OutboundError('malformed', 'The answer has a content coding that was not asked for')
  }
  let received = 0
  const measured = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      received += chunk.length
      yield chunk
    }
  }
  const keepUnlessBomb = (chunk: Buffer, size: number) => {
    if (isBomb(size, received, limits)) throw tooDense(limits)
    keep(chunk, size)
  }
  await pipeline(body, measured, decoder(), counted(keepUnlessBomb), { signal })
  return Buffer.concat(chunks)
}

function counted(take: (chunk: Buffer, sizeSoFar: number) => void) {
  return async (source: AsyncIterable<Buffer>) => {
    let size = 0
    for await (const chunk of source) {
      size += chunk.length
      take(chunk, size)
    }
  }
}

function isBomb(expanded: number, received: number, limits: BodyLimits): boolean {
  return expanded > EXPANSION_FREE_BYTES && expanded > received * limits.maxExpansion
}

export function tooLarge({ maxBytes }: BodyLimits): OutboundError {
  return new OutboundError('too-large', `The answer is larger than ${maxBytes} bytes`)
}

function tooDense({ maxExpansion }: BodyLimits): OutboundError {
  return new OutboundError(
    'too-large',
    `The answer expands to more than ${maxExpansion} times what was sent`,
  )
}
