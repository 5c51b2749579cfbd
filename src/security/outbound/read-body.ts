import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

import { OutboundError } from './errors.ts'
import { outboundMessages } from './outbound-messages.ts'

/** Builds something from a body as it arrives. */
export interface BodyCollector<T> {
  take(chunk: Buffer): void
  end(): T
}

interface BodyLimits {
  /** The limit after decompression. */
  readonly maxBytes: number
  /** How many times larger than the received bytes the body may be, after the first MiB. */
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

/**
 * Passes on the decompressed body chunk by chunk as it arrives, and fails as soon as it is certain
 * to be too large. Returns its decompressed size.
 */
export async function readBody(
  body: Readable,
  contentEncoding: string,
  limits: BodyLimits,
  take: (chunk: Buffer) => void,
  signal: AbortSignal,
): Promise<number> {
  const coding = contentEncoding.trim().toLowerCase()
  let size = 0
  let received = 0
  const plain = coding === '' || coding === 'identity'

  const keep = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      size += chunk.length
      if (size > limits.maxBytes) throw tooLarge(limits)
      if (!plain && isBomb(size, received, limits)) throw tooDense(limits)
      take(chunk)
    }
  }
  if (plain) {
    await pipeline(body, keep, { signal })
    return size
  }
  const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined
  if (!decoder) {
    body.destroy()
    throw new OutboundError('malformed', outboundMessages.coding())
  }
  const measured = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      received += chunk.length
      yield chunk
    }
  }
  try {
    await pipeline(body, measured, decoder(), keep, { signal })
  } catch (error) {
    throw isFromDecoder(error) ? damaged(error) : error
  }
  return size
}

/** The codes of zlib for invalid data; a broken connection has other codes. */
const DECODER_CODES = /^(?:Z_|ERR__ERROR_|ERR_BROTLI)/

function isFromDecoder(error: unknown): boolean {
  return DECODER_CODES.test((error as NodeJS.ErrnoException).code ?? '')
}

function damaged(cause: unknown): OutboundError {
  return new OutboundError('malformed', outboundMessages.compression(), { cause })
}

function isBomb(expanded: number, received: number, limits: BodyLimits): boolean {
  return expanded > EXPANSION_FREE_BYTES && expanded > received * limits.maxExpansion
}

export function tooLarge({ maxBytes }: BodyLimits): OutboundError {
  return new OutboundError('too-large', outboundMessages.tooLarge({ most: maxBytes }))
}

function tooDense({ maxExpansion }: BodyLimits): OutboundError {
  return new OutboundError('too-large', outboundMessages.tooDense({ times: maxExpansion }))
}
