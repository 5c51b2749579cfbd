import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { ByteSource, Source } from '../../../pipelines/index.ts'

/** A look at a source that may read so much of it and no more. */
interface BudgetedSource {
  readonly source: Source
  readonly isSpent: () => boolean
}

/**
 * Most inputs are judged by their beginning; a workbook that lies far away has to be fetched whole.
 * Past the budget the stream breaks, and `isSpent` tells why.
 */
export function withinBudget(source: Source, mostBytes: number): BudgetedSource {
  if (source.kind === 'records' || source.path !== undefined) {
    return { source, isSpent: () => false }
  }
  let spent = false
  const open: ByteSource['open'] = async (signal) => {
    let left = mostBytes
    const meter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        left -= chunk.length
        spent ||= left < 0
        if (spent) done(new Error('More than this look may read'))
        else done(null, chunk)
      },
    })
    const stream = await source.open(signal)
    // Whoever reads the meter hears of every failure there.
    pipeline(stream, meter, { signal }).catch(() => undefined)
    return meter
  }
  return { source: { ...source, open }, isSpent: () => spent }
}
