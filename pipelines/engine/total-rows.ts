import { isBlankRow, skipSpace } from '../cells/white-space.ts'
import { type Batch, CellKind, cellText, isValue, NULL_CELL } from '../core/batch.ts'
import { cutText, cutUtf8 } from '../core/cut-text.ts'
import type { Warning } from '../core/warning.ts'
import { CellPresenter } from '../transforms/cast.ts'
import type { DecidedColumn, DecidedTable } from './decide-table.ts'
import type { Sample } from './sample.ts'
import { warningMessages } from './warning-messages.ts'

const TOTAL = /^(?:sous[- ]?total|total|totaux|ensemble|somme|sum|grand total)(?![\p{L}\d])/iu
const MOST_TOTALS = 20
/** How much of a row that calls itself a total, or of its sum, is shown in a message. */
const MOST_SHOWN = 40

interface RowAt {
  readonly batch: Batch
  readonly row: number
}

/**
 * Totals are loaded as rows, with a warning: rows that call themselves a total, and the last row
 * if a column of it is the sum of the rows above. Sums are checked only if the whole table is in
 * the sample.
 */
export async function totalWarnings(
  { columns, context }: DecidedTable,
  sample: Sample,
  pause: () => Promise<void>,
): Promise<Warning[]> {
  const numbers = columns.flatMap(({ decision }, at) => (decision.type === 'number' ? [at] : []))
  if (!sample.isAll || numbers.length === 0 || numbers.length === columns.length) return []
  const presenters = numbers.map((at) => new CellPresenter(columns[at]!.decision, context))
  const sums = new Float64Array(numbers.length)
  const warnings: Warning[] = []
  let above = 0
  const rows = filledRows(sample)
  for (const [index, { batch, row }] of rows.entries()) {
    await pause()
    const values = numbers.map((column, at) => {
      if (column >= batch.width) return 0
      return Number(presenters[at]!.present(batch, row * batch.width + column) ?? 0)
    })
    const isNamed = TOTAL.test(firstText({ batch, row }))
    const isLast = index === rows.length - 1
    const at = above < (isNamed ? 2 : 3) ? -1 : sumAmong(values, sums, isNamed, isLast)
    if (at === -1) {
      for (const [n, value] of values.entries()) sums[n]! += value
      above++
      continue
    }
    sums.fill(0)
    above = 0
    if (warnings.length < MOST_TOTALS) {
      warnings.push(totalWarning({ batch, row }, columns, numbers[at]!))
    }
  }
  return warnings
}

/** Remembers the last row of a table. */
export class LastRow {
  #row: { readonly line: number; readonly text: string } | null = null

  see(batch: Batch): void {
    for (let row = batch.rows - 1; row >= 0; row--) {
      if (isBlankRow(batch, row)) continue
      this.#row = { line: lineOf(batch, row), text: firstText({ batch, row }) }
      return
    }
  }

  /** For a table longer than the sample, whose sums are unknown: the row has to call itself a total. */
  warnings({ columns }: DecidedTable, { isAll }: Sample): Warning[] {
    const { line, text } = this.#row ?? { line: 0, text: '' }
    const hasNumbers = columns.some(({ decision }) => decision.type === 'number')
    if (isAll || !hasNumbers || !TOTAL.test(text)) return []
    const shown = { line: warningMessages.line({ line }), text }
    return [{ code: 'total', message: warningMessages.lastTotal(shown), line }]
  }
}

const lineOf = (batch: Batch, row: number) => batch.lines?.[row] ?? batch.firstRow + row

/** The sum is shown as the sheet writes it, in any language. */
function totalWarning(
  { batch, row }: RowAt,
  columns: readonly DecidedColumn[],
  at: number,
): Warning {
  const line = lineOf(batch, row)
  const column = columns[at]!.name
  const value = cutText(cellText(batch, row, at)?.trim() ?? '', MOST_SHOWN, '…')
  const message = warningMessages.total({ line: warningMessages.line({ line }), column, value })
  return { code: 'total', message, line, column }
}

/**
 * A row that calls itself a total needs one matching sum; the last row otherwise needs all of its
 * numbers to match.
 */
function sumAmong(
  values: readonly number[],
  sums: Float64Array,
  isNamed: boolean,
  isLast: boolean,
): number {
  const matches = values.map((value, at) => isSum(value, sums[at]!))
  const isTotal = isNamed ? matches.includes(true) : isLast && matches.every(Boolean)
  return isTotal ? matches.indexOf(true) : -1
}

function isSum(value: number, sum: number): boolean {
  return value !== 0 && Math.abs(value - sum) <= 1e-9 * Math.max(1, Math.abs(sum))
}

function filledRows({ batches }: Sample): RowAt[] {
  return batches.flatMap((batch) =>
    Array.from({ length: batch.rows }, (_, row) => ({ batch, row })).filter(
      (at) => !isBlankRow(at.batch, at.row),
    ),
  )
}

/** How the first cell begins that is not blank. */
function firstText({ batch, row }: RowAt): string {
  const { bytes, start, end, kinds, width } = batch
  for (let column = 0; column < width; column++) {
    const cell = row * width + column
    const to = end[cell]!
    if (to === NULL_CELL) continue
    if (isValue(kinds?.[cell] ?? CellKind.text)) return cellText(batch, row, column)!
    const from = skipSpace(bytes, start[cell]!, to)
    if (from >= to) continue
    return cutText(cutUtf8(bytes, from, to, 4 * MOST_SHOWN), MOST_SHOWN).trim()
  }
  return ''
}
