import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { ByteSource, DataSource } from '../../../pipelines/index.ts'

/** A source that can only be read up to a limit. */
interface BudgetedSource {
  readonly source: DataSource
  readonly isSpent: () => boolean
}

/**
 * Most inputs are judged by their beginning, but a remote workbook has to be fetched completely.
 * Past the budget the stream fails, and `isSpent` tells why.
 */
export function withinBudget(source: DataSource, mostBytes: number): BudgetedSource {
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
    // Readers of the meter get every error from it.
    pipeline(stream, meter, { signal }).catch(() => undefined)
    return meter
  }
  return { source: { ...source, open }, isSpent: () => spent }
}
