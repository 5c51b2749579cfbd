import { type Batch, CellKind, NULL_CELL, type RowFault } from '../../core/batch.ts'
import type { BatchMemory, SpareMemory } from '../json/batch-memory.ts'
import { MADE, type PageRows } from './page-rows.ts'
import type { RecordColumns } from './record-columns.ts'

const BATCH_BYTES = 256 * 1024
const BATCH_CELLS = 64 * 1024

/** How many of the rows from `first` on form one batch: at least one, and no more than there are. */
export function rowsOfBatch(page: PageRows, first: number, width: number): number {
  const most = Math.min(
    page.count,
    first + Math.max(1, Math.floor(BATCH_CELLS / Math.max(1, width))),
  )
  const begin = page.from[first]! + page.madeFrom[first]!
  let end = first + 1
  while (end < most && page.to[end - 1]! + page.madeFrom[end]! - begin < BATCH_BYTES) end++
  return end - first
}

/** Which rows of a page. */
interface Stretch {
  readonly first: number
  readonly count: number
}

export interface RecordBatch extends Batch {
  readonly kinds: Uint8Array
  readonly memory: BatchMemory
}

/** Puts every cell in its place. The text is copied, so that keeping a batch does not keep its page. */
export function rowsAsBatch(
  page: PageRows,
  { first, count }: Stretch,
  columns: RecordColumns,
  { firstRow, spare }: { readonly firstRow: number; readonly spare: SpareMemory },
): RecordBatch {
  const width = columns.count
  const behind = first + count
  const from = page.from[first]!
  const to = page.to[behind - 1]!
  const madeFrom = page.madeFrom[first]!
  const madeTo = page.madeFrom[behind]!
  const readLength = to - from
  const length = readLength + madeTo - madeFrom
  const cells = count * width
  const memory = spare.takeFor({ bytes: length, cells, rows: count })
  page.page.copy(memory.bytes, 0, from, to)
  page.made.bytes.copy(memory.bytes, readLength, madeFrom, madeTo)
  const batch = {
    bytes: memory.bytes.subarray(0, length),
    start: memory.start.subarray(0, cells),
    end: memory.end.subarray(0, cells).fill(NULL_CELL),
    kinds: memory.kinds.subarray(0, cells).fill(CellKind.text),
    width,
    rows: count,
    firstRow,
    lines: null,
    faults: faultsOf(page, { first, count }),
    memory,
  }
  placeCells(batch, page, first, columns, { read: -from, made: readLength - MADE - madeFrom })
  return batch
}

/** Looked up row by row, since a page whose rows are all broken may become many small batches. */
function faultsOf({ faults }: PageRows, { first, count }: Stretch): readonly RowFault[] {
  const found: RowFault[] = []
  if (faults.size === 0) return found
  for (let row = 0; row < count; row++) {
    const message = faults.get(first + row)
    if (message !== undefined) found.push({ row, message })
  }
  return found
}

/** How far the text that was read, and the text that was rewritten, was moved. */
interface Shifts {
  readonly read: number
  readonly made: number
}

function placeCells(
  { start, end, kinds, width, rows }: RecordBatch,
  page: PageRows,
  first: number,
  columns: RecordColumns,
  shifts: Shifts,
): void {
  const { firstMember, memberKey, memberFrom, memberTo, memberKind } = page
  for (let row = 0; row < rows; row++) {
    const last = firstMember[first + row + 1]!
    for (let member = firstMember[first + row]!; member < last; member++) {
      const from = memberFrom[member]!
      const to = memberTo[member]!
      // Of duplicate keys the last one counts, so a null can replace a value. It has no position.
      const shift = to === NULL_CELL ? 0 : from < MADE ? shifts.read : shifts.made
      for (const column of columns.ofKey(memberKey[member]!)) {
        const cell = row * width + column
        start[cell] = from + shift
        end[cell] = to + shift
        kinds[cell] = memberKind[member]!
      }
    }
  }
}
