import type { Batch } from '../core/batch.ts'
import { OpenRowTooLongError } from '../core/errors.ts'
import type { EngineLimits } from '../core/limits.ts'
import type { OpenReading } from './open-reading.ts'
import { SampleTooLongError } from '../sinks/sample.ts'
import type { Progress } from './progress.ts'

/** The beginning of the input, kept: types are decided on it, and it is then loaded first. */
export interface Sample {
  readonly batches: Batch[]
  /** Whether the input ended inside the sample. */
  readonly isAll: boolean
}

export async function takeSample(
  opened: OpenReading,
  limits: Pick<EngineLimits, 'sampleRows' | 'sampleBytes'>,
  progress: Progress,
  /** From this number on, a row that is too long to be kept ends the sample instead of failing. */
  enoughRows = Infinity,
): Promise<Sample> {
  const batches: Batch[] = []
  let rows = 0
  let bytes = 0
  while (rows < limits.sampleRows && bytes < limits.sampleBytes) {
    const batch = await nextBatch(opened, rows, enoughRows)
    if (batch === TOO_LONG) break
    if (batch === null) return { batches, isAll: true }
    batches.push(batch)
    rows += batch.rows
    bytes += batch.bytes.length
    await progress.pause({ bytesRead: opened.bytesRead, rows: 0, rejected: 0 })
  }
  return { batches, isAll: false }
}

const TOO_LONG = Symbol('a row that is too long')

async function nextBatch(
  opened: OpenReading,
  rows: number,
  enoughRows: number,
): Promise<Batch | null | typeof TOO_LONG> {
  try {
    return await opened.next()
  } catch (error) {
    if (!(error instanceof OpenRowTooLongError)) throw error
    if (rows >= enoughRows) return TOO_LONG
    throw new SampleTooLongError(rows, { cause: error })
  }
}

/** Exactly this many rows: where batches end depends on the reader, and must not change a type. */
export function* firstRows({ batches }: Sample, rows: number): Generator<Batch> {
  let left = rows
  for (const batch of batches) {
    if (left <= 0) return
    yield batch.rows <= left ? batch : { ...batch, rows: left }
    left -= batch.rows
  }
}
