import { setImmediate as nextTurn } from 'node:timers/promises'

import { type Batch, CellKind, cellText } from '../core/batch.ts'
import type { ReadCell, ReadRow } from '../core/engine.ts'
import { EngineError } from '../core/errors.ts'
import { MiB } from '../core/mebibyte.ts'
import type { IngestOptions } from '../core/options.ts'
import type { DataSource } from '../core/source.ts'
import type { EngineParts } from './engine-parts.ts'
import { openReading } from './open-reading.ts'

/** Cells become texts by so many, or so much of them, at once: a batch may have a quarter of a million. */
const CELLS_AT_ONCE = 8192
const BYTES_AT_ONCE = MiB

/** All rows with their cells as they are, before types are known. */
export async function* readCells(
  parts: EngineParts,
  source: DataSource,
  options: IngestOptions,
  signal: AbortSignal,
): AsyncGenerator<readonly ReadRow[]> {
  const opened = await openReading(parts, source, options, signal)
  try {
    for (;;) {
      signal.throwIfAborted()
      const batch = await opened.next()
      if (batch === null) return
      refuseFaults(batch)
      for (let row = 0; row < batch.rows;) {
        const rows = rowsFrom(batch, row)
        row += rows.length
        yield rows
        await nextTurn()
      }
    }
  } finally {
    await opened.close()
  }
}

function refuseFaults(batch: Batch): void {
  const [fault] = batch.faults
  if (fault === undefined) return
  const line = fault.line ?? batch.lines?.[fault.row]
  const row = batch.firstRow + fault.row
  throw new EngineError(fault.message, {
    kind: 'structure',
    row,
    ...(line !== undefined && { line }),
  })
}

/** At least one row. */
function rowsFrom(batch: Batch, from: number): ReadRow[] {
  const rows: ReadRow[] = []
  let bytes = 0
  for (let row = from; row < batch.rows && bytes < BYTES_AT_ONCE; row++) {
    if (rows.length > 0 && (rows.length + 1) * batch.width > CELLS_AT_ONCE) break
    const cells: ReadCell[] = []
    for (let column = 0; column < batch.width; column++) {
      const cell = row * batch.width + column
      const kind = batch.kinds?.[cell] ?? CellKind.text
      cells.push({ text: cellText(batch, row, column), isNumber: kind === CellKind.number })
      bytes += Math.max(0, batch.end[cell]! - batch.start[cell]!)
    }
    const number = batch.firstRow + row
    rows.push({ row: number, line: batch.lines?.[row] ?? number, cells })
  }
  return rows
}
