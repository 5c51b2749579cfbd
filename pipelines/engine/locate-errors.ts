import { setImmediate as nextTurn } from 'node:timers/promises'

import type { CellError } from '../core/errors.ts'
import { counterExample } from '../cells/cell-messages.ts'
import { type DecidedColumn, placesIn } from './decide-table.ts'
import type { OpenReading } from './open-reading.ts'

interface Unlocated {
  readonly errors: readonly CellError[]
  readonly columns: readonly DecidedColumn[]
}

/**
 * The errors with the lines and cells of their rows. A table does not know them, so the input is
 * read once more, up to the last of these rows.
 */
export async function locateErrors(
  open: () => Promise<OpenReading>,
  { errors, columns }: Unlocated,
): Promise<readonly CellError[]> {
  if (errors.length === 0) return errors
  const opened = await open()
  try {
    return await located(opened, { errors, columns })
  } finally {
    await opened.close()
  }
}

async function located(
  opened: OpenReading,
  { errors, columns }: Unlocated,
): Promise<readonly CellError[]> {
  const { reading } = opened
  const placeOf = placesIn(reading)
  const awaited = errors.toSorted((one, other) => one.row - other.row)
  const found: CellError[] = []
  while (found.length < awaited.length) {
    const batch = await opened.next()
    if (batch === null) break
    for (const error of awaited.slice(found.length)) {
      const row = error.row - batch.firstRow
      if (row >= batch.rows) break
      const at = columns.findIndex(({ name, isLeft }) => name === error.column && !isLeft)
      const { value: _, ...where } = counterExample(batch, row, Math.max(at, 0), placeOf)
      found.push({ ...where, ...error })
    }
    reading.recycle?.(batch)
    await nextTurn()
  }
  return [...found, ...awaited.slice(found.length)]
}
