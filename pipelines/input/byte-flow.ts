import { addAbortSignal } from 'node:stream'

import type { ByteSource } from '../core/source.ts'
import { openFile } from './file-flow.ts'

/**
 * Bytes being pulled. Stages wrap one flow in another; nothing is read before it is asked for, so
 * back-pressure needs no code.
 */
export interface ByteFlow {
  /** The next bytes, never empty, or null at the end. */
  next(): Promise<Buffer | null>
  /** Takes back bytes that nobody looks at any more, or a part of them: their memory is used again. */
  release?(bytes: Buffer): void
  /** May be called at any time, also twice, also while `next` is pending. */
  close(): Promise<void>
}

export interface CountedFlow extends ByteFlow {
  readonly bytesRead: number
}

export async function openFlow(source: ByteSource, signal: AbortSignal): Promise<CountedFlow> {
  signal.throwIfAborted()
  if (source.path !== undefined) return openFile(source.path, signal)
  const stream = await source.open(signal)
  // A stream that is destroyed while nobody reads from it reports its error to this listener alone.
  stream.on('error', () => stream.destroy())
  addAbortSignal(signal, stream)
  const chunks: AsyncIterator<Uint8Array | string> = stream[Symbol.asyncIterator]()
  let bytesRead = 0
  return {
    get bytesRead() {
      return bytesRead
    },
    async next() {
      for (;;) {
        signal.throwIfAborted()
        const { value, done } = await chunks.next()
        if (done === true) return null
        const chunk = asBuffer(value)
        bytesRead += chunk.length
        if (chunk.length > 0) return chunk
      }
    },
    async close() {
      stream.destroy()
    },
  }
}

/** The same flow with bytes put back in front of it. */
export function withHead(head: Buffer, rest: ByteFlow): ByteFlow {
  let pending: Buffer | null = head.length > 0 ? head : null
  return {
    next() {
      const bytes = pending
      if (bytes === null) return rest.next()
      pending = null
      return Promise.resolve(bytes)
    },
    release: (bytes) => rest.release?.(bytes),
    close: () => rest.close(),
  }
}

/** Reads until there are at least `length` bytes, or all there is. */
export async function readHead(flow: ByteFlow, length: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let have = 0
  while (have < length) {
    const chunk = await flow.next()
    if (chunk === null) break
    parts.push(chunk)
    have += chunk.length
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}

function asBuffer(chunk: Uint8Array | string): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk
  if (typeof chunk === 'string') return Buffer.from(chunk, 'utf8')
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}
