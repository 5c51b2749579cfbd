import { isBlankRow, skipSpace } from '../cells/white-space.ts'
import { type Batch, CellKind, NULL_CELL } from '../core/batch.ts'
import { EngineError } from '../core/errors.ts'
import type { ExpansionBudget } from '../core/expansion-budget.ts'
import { knownNames } from '../core/known-names.ts'
import { outlineMessages } from './messages.ts'
import { normaliseHeaders } from '../headers/sql-names.ts'

/** A copy of the last value of a column. */
interface Value {
  readonly bytes: Buffer
  readonly kind: number
}

/** Repeats the value above in blank cells, as merged row titles require. */
export class FillDown {
  readonly #columns: readonly number[]
  readonly #expansion: ExpansionBudget
  readonly #above = new Map<number, Value>()

  /** `wanted`: normalised headers, or all of them. */
  constructor(
    headers: readonly (string | null)[],
    wanted: true | readonly string[],
    expansion: ExpansionBudget,
  ) {
    this.#expansion = expansion
    const names = normaliseHeaders(headers)
    this.#columns = wanted === true ? [...names.keys()] : wanted.map(columnIn(names))
  }

  /** A blank row stays blank. */
  fill(batch: Batch): Batch {
    const filled = this.#withValuesAbove(batch)
    const isBlank = Array.from({ length: batch.rows }, (_, row) => isBlankRow(batch, row))
    let behind = batch.bytes.length
    for (const column of this.#columns) {
      const above = this.#above.get(column)
      let last: Range | null = null
      if (above !== undefined) {
        last = { start: behind, end: behind + above.bytes.length, kind: above.kind }
        behind = last.end
      }
      last = fillColumn(filled, column, isBlank, last, this.#expansion)
      if (last !== null) {
        const bytes = Buffer.from(filled.bytes.subarray(last.start, last.end))
        this.#above.set(column, { bytes, kind: last.kind })
      }
    }
    return filled
  }

  /** The values of the previous batch are placed after its bytes, in the order of the columns. */
  #withValuesAbove(batch: Batch): Batch {
    const above = this.#columns.flatMap((column) => this.#above.get(column) ?? [])
    const isTyped = above.some(({ kind }) => kind !== CellKind.text)
    return {
      ...batch,
      bytes: Buffer.concat([batch.bytes, ...above.map(({ bytes }) => bytes)]),
      kinds: batch.kinds ?? (isTyped ? new Uint8Array(batch.rows * batch.width) : null),
    }
  }
}

interface Range {
  readonly start: number
  readonly end: number
  readonly kind: number
}

/** Returns the last value of the column. */
function fillColumn(
  { bytes, start, end, kinds, width, rows }: Batch,
  column: number,
  isBlank: readonly boolean[],
  above: Range | null,
  expansion: ExpansionBudget,
): Range | null {
  let last = above
  let filledBytes = 0
  for (let row = 0; row < rows; row++) {
    if (isBlank[row]!) continue
    const cell = row * width + column
    const from = start[cell]!
    const to = end[cell]!
    const isEmpty = to === NULL_CELL || skipSpace(bytes, from, to) >= to
    if (!isEmpty) last = { start: from, end: to, kind: kinds?.[cell] ?? CellKind.text }
    else if (last !== null) {
      start[cell] = last.start
      end[cell] = last.end
      if (kinds !== null) kinds[cell] = last.kind
      filledBytes += last.end - last.start
    }
  }
  expansion.count(filledBytes)
  return last
}

const columnIn = (names: readonly string[]) => (name: string, index: number) => {
  const at = names.indexOf(name)
  if (at !== -1) return at
  throw new EngineError(outlineMessages.noSuchColumn({ name, ...knownNames(names) }), {
    kind: 'options',
    pointer: `/fillDown/${index}`,
  })
}
