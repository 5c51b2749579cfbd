import { type Batch, CellKind, cellText } from '../core/batch.ts'
import type { ReadCell, ReadRow } from '../core/engine.ts'
import { EngineError } from '../core/errors.ts'
import type { IngestOptions } from '../core/options.ts'
import type { DataSource } from '../core/source.ts'
import type { EngineParts } from './engine-parts.ts'
import { openReading } from './open-reading.ts'

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
      yield rowsOf(batch)
    }
  } finally {
    await opened.close()
  }
}

function rowsOf(batch: Batch): ReadRow[] {
  const [fault] = batch.faults
  if (fault !== undefined) {
    const line = fault.line ?? batch.lines?.[fault.row]
    const row = batch.firstRow + fault.row
    throw new EngineError(fault.message, {
      kind: 'structure',
      row,
      ...(line !== undefined && { line }),
    })
  }
  const columns = [...Array(batch.width).keys()]
  return Array.from({ length: batch.rows }, (_, row) => ({
    row: batch.firstRow + row,
    line: batch.lines?.[row] ?? batch.firstRow + row,
    cells: columns.map((column): ReadCell => {
      const kind = batch.kinds?.[row * batch.width + column] ?? CellKind.text
      return { text: cellText(batch, row, column), isNumber: kind === CellKind.number }
    }),
  }))
}
