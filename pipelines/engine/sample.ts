import type { Batch } from '../core/batch.ts'
import type { EngineLimits } from '../core/limits.ts'
import type { OpenReading } from './open-reading.ts'
import type { Pace } from './pace.ts'

/** The beginning of the input, kept: types are decided on it, and then it is the first to be loaded. */
export interface Sample {
  readonly batches: Batch[]
  /** Whether the input ended inside the sample. */
  readonly isAll: boolean
}

export async function takeSample(
  opened: OpenReading,
  limits: Pick<EngineLimits, 'sampleRows' | 'sampleBytes'>,
  pace: Pace,
): Promise<Sample> {
  const batches: Batch[] = []
  let rows = 0
  let bytes = 0
  while (rows < limits.sampleRows && bytes < limits.sampleBytes) {
    const batch = await opened.next()
    if (batch === null) return { batches, isAll: true }
    batches.push(batch)
    rows += batch.rows
    bytes += batch.bytes.length
    await pace.pause({ bytesRead: opened.bytesRead, rows: 0, rejected: 0 })
  }
  return { batches, isAll: false }
}

/** Exactly so many rows: where a batch ends is the reader's affair, and must not change a type. */
export function* firstRows({ batches }: Sample, rows: number): Generator<Batch> {
  let left = rows
  for (const batch of batches) {
    if (left <= 0) return
    yield batch.rows <= left ? batch : { ...batch, rows: left }
    left -= batch.rows
  }
}
