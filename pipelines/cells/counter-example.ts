import type { Batch } from '../core/batch.ts'
import type { CounterExample } from '../core/report.ts'
import { shownValue } from './cell-messages.ts'

/** Names a cell's place in its source, if the reader has a name for it. */
export type PlaceOf = (batch: Batch, row: number, column: number) => string | null

/** A cell with its position, for reports. */
export function counterExample(
  batch: Batch,
  row: number,
  column: number,
  placeOf?: PlaceOf,
): CounterExample {
  const line = batch.lines?.[row]
  const place = placeOf?.(batch, row, column) ?? undefined
  return {
    row: batch.firstRow + row,
    ...(line === undefined ? {} : { line }),
    ...(place === undefined ? {} : { place }),
    // A batch from before the column appeared has no cell for it.
    value: column < batch.width ? shownValue(batch, row * batch.width + column) : '',
  }
}
