import { createGunzip } from 'node:zlib'

import { EngineError } from '../core/errors.ts'
import type { EngineLimits } from '../core/limits.ts'
import type { ByteFlow } from './byte-flow.ts'
import { expansionGuard } from './expansion-guard.ts'

const OUTPUT_CHUNK_BYTES = 128 * 1024

export function isGzip(head: Buffer): boolean {
  return head.length >= 3 && head[0] === 0x1f && head[1] === 0x8b && head[2] === 8
}

/** Opens gzip, several members one after the other included; inflating runs beside this thread. */
export function gunzip(compressed: ByteFlow, limits: EngineLimits): ByteFlow {
  const inflater = createGunzip({ chunkSize: OUTPUT_CHUNK_BYTES })
  const guard = expansionGuard(limits)
  // The reading side below reports the error; this listener only keeps it from being unhandled.
  inflater.on('error', () => inflater.destroy())
  const inflated: AsyncIterator<Buffer> = inflater[Symbol.asyncIterator]()

  async function feed() {
    try {
      for (;;) {
        const chunk = await compressed.next()
        if (chunk === null) break
        guard.compressed(chunk.length)
        await new Promise<void>((resolve, reject) => {
          inflater.write(chunk, (error) => (error ? reject(error) : resolve()))
        })
      }
      inflater.end()
    } catch (error) {
      inflater.destroy(error as Error)
    }
  }

  let feeding: Promise<void> | null = null
  return {
    async next() {
      feeding ??= feed()
      try {
        for (;;) {
          const { value, done } = await inflated.next()
          if (done === true) return null
          guard.expanded(value.length)
          if (value.length > 0) return value
        }
      } catch (error) {
        throw asProblem(error)
      }
    },
    async close() {
      inflater.destroy()
      await compressed.close()
    },
  }
}

function asProblem(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'Z_BUF_ERROR') {
    return new EngineError(
      'The gzip data ends too early: the file was cut short.',
      { kind: 'structure' },
      { cause: error },
    )
  }
  if (code === 'Z_DATA_ERROR') {
    return new EngineError(
      'The gzip data is corrupt, or something that is not gzip follows it.',
      { kind: 'structure' },
      { cause: error },
    )
  }
  return error
}
