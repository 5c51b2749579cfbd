import { addAbortSignal } from 'node:stream'

import type { CountedFlow } from '../../core/input.ts'
import type { ByteSource } from '../../core/source.ts'

/** The stream of a source as a flow. */
export async function openStream(source: ByteSource, signal: AbortSignal): Promise<CountedFlow> {
  const stream = await source.open(signal)
  // If the stream is destroyed while nobody reads, only this listener gets its error.
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
        if (done === true) {
          source.onRead?.(null)
          return null
        }
        const chunk = asBuffer(value)
        source.onRead?.(chunk)
        bytesRead += chunk.length
        if (chunk.length > 0) return chunk
      }
    },
    async close() {
      stream.destroy()
    },
  }
}

function asBuffer(chunk: Uint8Array | string): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk
  if (typeof chunk === 'string') return Buffer.from(chunk, 'utf8')
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}
