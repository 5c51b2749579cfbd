import { CellKind, NULL_CELL, type Batch } from '../../pipelines/core/batch.ts'
import type { IngestOptions } from '../../pipelines/core/options.ts'
import { Outcome } from '../../pipelines/cells/outcome.ts'
import { CellPresenter } from '../../pipelines/transforms/cast.ts'
import type { ColumnDecision } from '../../pipelines/encoders/column-decision.ts'
import { createValueContext } from '../../pipelines/transforms/value-context.ts'

export interface Cell {
  readonly text: string
  readonly kind: CellKind
}

export function cell(kind: keyof typeof CellKind, text: string): Cell {
  return { kind: CellKind[kind], text }
}

/** A batch of one column; strings are plain text. */
export function columnOf(values: readonly (string | Cell | null)[], firstRow = 1): Batch {
  const cells = values.map((value) => (typeof value === 'string' ? cell('text', value) : value))
  const texts = cells.map((value) => Buffer.from(value?.text ?? ''))
  const start = new Int32Array(cells.length)
  const end = new Int32Array(cells.length)
  let at = 0
  texts.forEach((text, row) => {
    start[row] = at
    at += text.length
    end[row] = cells[row] === null ? NULL_CELL : at
  })
  const isPlain = cells.every((value) => value === null || value.kind === CellKind.text)
  return {
    bytes: Buffer.concat(texts),
    start,
    end,
    kinds: isPlain ? null : Uint8Array.from(cells, (value) => value?.kind ?? CellKind.text),
    width: 1,
    rows: cells.length,
    firstRow,
    lines: null,
    faults: [],
  }
}

const OUTCOME_NAMES = new Map(
  Object.entries(Outcome).map(([name, outcome]) => [outcome as number, name]),
)

/** What a cell is stored as: its JSON text, or the name of the outcome where it has none. */
export function storedAs(
  decision: ColumnDecision,
  value: string | Cell | null,
  options: IngestOptions = {},
): string {
  return storing(decision, value, options)()
}

/** The same to be done again and again: the cell is made once, and no memory is taken for it anew. */
export function storing(
  decision: ColumnDecision,
  value: string | Cell | null,
  options: IngestOptions = {},
): () => string {
  const presenter = new CellPresenter(decision, createValueContext(options, null))
  const column = columnOf([value])
  return () => presenter.present(column, 0) ?? OUTCOME_NAMES.get(presenter.outcome)!
}
