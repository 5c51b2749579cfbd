import type { Gunzip } from 'node:zlib'

import { EngineError } from '../../core/errors.ts'
import { packingMessages } from './packing-messages.ts'
import type { CountedFlow, ByteFlow } from '../../core/input.ts'
import type { EngineLimits } from '../../core/limits.ts'
import { unpackingBudget } from './unpacking-budget.ts'

const OUTPUT_CHUNK_BYTES = 128 * 1024

export function isGzip(head: Buffer): boolean {
  return head.length >= 3 && head[0] === 0x1f && head[1] === 0x8b && head[2] === 8
}

/** Unpacks gzip, even several members in a row; decompression runs in another thread. */
export async function gunzip(compressed: ByteFlow, limits: EngineLimits): Promise<CountedFlow> {
  // Loaded on first use, since most files are not packed.
  const { createGunzip } = await import('node:zlib')
  const inflater = createGunzip({ chunkSize: OUTPUT_CHUNK_BYTES })
  // The reading side below reports the error; this listener only keeps it from being unhandled.
  inflater.on('error', () => inflater.destroy())
  const inflated: AsyncIterator<Buffer> = inflater[Symbol.asyncIterator]()

  let failure: unknown = null
  let fedBytes = 0
  let takenBytes = 0
  const budget = unpackingBudget(limits, () => takenBytes)
  let isBehindMembers = false

  async function feed() {
    try {
      for (;;) {
        const chunk = await compressed.next()
        if (chunk === null) break
        takenBytes += chunk.length
        if (!isBehindMembers) await written(inflater, chunk)
        fedBytes += chunk.length
        // zlib consumes everything until a member ends and a zero byte follows.
        const unread = Math.min(chunk.length, fedBytes - inflater.bytesWritten)
        if (unread > 0) {
          isBehindMembers = true
          refuseTrailing(chunk.subarray(chunk.length - unread))
        }
        compressed.release?.(chunk)
      }
      inflater.end()
    } catch (error) {
      failure = error
      inflater.destroy(error as Error)
    }
  }

  let feeding: Promise<void> | null = null
  return {
    /** Counts packed bytes. */
    get bytesRead() {
      return fedBytes
    },
    async next() {
      feeding ??= feed()
      try {
        for (;;) {
          const { value, done } = await inflated.next()
          if (done === true) {
            await feeding
            if (failure !== null) throw failure
            return null
          }
          budget.count(value.length)
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

function written(inflater: Gunzip, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    inflater.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
}

/** Zeros after the last member are padding. */
function refuseTrailing(chunk: Buffer): void {
  if (chunk.some((byte) => byte !== 0)) {
    throw new EngineError(packingMessages.followsGzip(), {
      kind: 'structure',
    })
  }
}

function asProblem(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'Z_BUF_ERROR') {
    return new EngineError(packingMessages.cutShort(), { kind: 'structure' }, { cause: error })
  }
  if (code === 'Z_DATA_ERROR') {
    return new EngineError(packingMessages.corrupt(), { kind: 'structure' }, { cause: error })
  }
  return error
}
