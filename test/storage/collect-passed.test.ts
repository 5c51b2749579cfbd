import { constants, PerformanceObserver } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'

import { MiB } from '../../pipelines/index.ts'
import { countAndHash } from '../../src/storage/streams.ts'
import { until } from '../support/patience.ts'

describe('buffers of bodies that were stored', () => {
  it('are let go of every 16 MiB, by a collection of the young part of the heap', async () => {
    let collections = 0
    const observer = new PerformanceObserver((list) => {
      for (const { detail } of list.getEntries() as unknown as GcEntry[]) {
        // V8 counts some of the whole heap as asked for that nobody asked for, but none of these.
        const isAsked = (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0
        if (isAsked && detail.kind === constants.NODE_PERFORMANCE_GC_MINOR) collections++
      }
    })
    observer.observe({ entryTypes: ['gc'] })
    try {
      const stored = countAndHash(Readable.from(pieces(40)), {})
      await finished(stored.resume())
      await until('two collections', () => collections >= 2)
    } finally {
      observer.disconnect()
    }
  })
})

interface GcEntry {
  readonly detail: { readonly kind: number; readonly flags: number }
}

function* pieces(count: number): Generator<Buffer> {
  for (let piece = 0; piece < count; piece++) yield Buffer.alloc(MiB)
}
