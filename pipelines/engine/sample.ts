import type { Batch } from '../core/batch.ts'
import { OpenRowTooLongError } from '../core/errors.ts'
import type { EngineLimits } from '../core/limits.ts'
import { rowTextBytes } from '../core/row-stretch.ts'
import type { OpenReading } from './open-reading.ts'
import { SampleTooLongError } from '../sinks/sample.ts'
import type { Progress } from './progress.ts'

/** The beginning of the input, kept: types are decided on it, and it is then loaded first. */
export interface Sample {
  readonly batches: Batch[]
  /** How many of their rows are looked at: no more than the text of their cells allows. */
  readonly rows: number
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
  const { sampleRows, sampleBytes } = limits
  const batches: Batch[] = []
  let rows = 0
  let keptBytes = 0
  let textBytes = 0
  while (rows < sampleRows && keptBytes < sampleBytes && textBytes < sampleBytes) {
    const batch = await nextBatch(opened, rows, enoughRows)
    if (batch === TOO_LONG) break
    if (batch === null) return { batches, rows, isAll: true }
    batches.push(batch)
    keptBytes += batch.bytes.length
    for (let row = 0; row < batch.rows && rows < sampleRows && textBytes < sampleBytes; row++) {
      textBytes += rowTextBytes(batch, row)
      rows++
    }
    await progress.pause({ bytesRead: opened.bytesRead, rows: 0, rejected: 0 })
  }
  return { batches, rows, isAll: false }
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

/** Exactly its rows: where batches end depends on the reader, and must not change a type. */
export function* rowsOfSample({ batches, rows }: Sample): Generator<Batch> {
  let left = rows
  for (const batch of batches) {
    if (left <= 0) return
    yield batch.rows <= left ? batch : { ...batch, rows: left }
    left -= batch.rows
  }
}
