import { constants, PerformanceObserver } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'

import { expect } from 'chai'

import { MiB } from '../../pipelines/index.ts'
import { countAndHash } from '../../src/storage/count-and-hash.ts'
import { until } from '../support/patience.ts'

describe('buffers of bodies that were stored', () => {
  it('are let go of every 16 MiB, by a collection of the young part of the heap alone', async () => {
    const asked: number[] = []
    const observer = new PerformanceObserver((list) => {
      for (const { detail } of list.getEntries() as unknown as GcEntry[]) {
        if (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) asked.push(detail.kind)
      }
    })
    observer.observe({ entryTypes: ['gc'] })
    try {
      const stored = countAndHash(Readable.from(pieces(40)), {})
      await finished(stored.resume())
      await until('two collections', () => asked.length >= 2)
    } finally {
      observer.disconnect()
    }
    expect(new Set(asked)).to.deep.equal(new Set([constants.NODE_PERFORMANCE_GC_MINOR]))
  })
})

interface GcEntry {
  readonly detail: { readonly kind: number; readonly flags: number }
}

function* pieces(count: number): Generator<Buffer> {
  for (let piece = 0; piece < count; piece++) yield Buffer.alloc(MiB)
}
