import type { CommonOptions } from '../core/options.ts'
import type { ColumnPlan } from '../core/plan.ts'
import type { Reading, StatedType } from '../core/reader.ts'
import { stretchEnd } from '../core/row-stretch.ts'
import type { ColumnEvidence } from '../core/report.ts'
import { type ColumnDecision, toPlan } from '../encoders/column-decision.ts'
import type { PlaceOf } from '../cells/cell-messages.ts'
import { TypeDetector } from '../transforms/detect-types.ts'
import { type HeldType, overrideOf } from '../transforms/overrides.ts'
import type { ValueContext } from '../transforms/value-context.ts'
import type { ColumnNames, NamedColumn } from './column-names.ts'
import type { OpenReading } from './open-reading.ts'
import type { Progress } from './progress.ts'
import { rowsOfSample, type Sample } from './sample.ts'

/** A column of the future table, and why it was decided as it is. */
export interface DecidedColumn extends NamedColumn {
  readonly decision: ColumnDecision
  readonly evidence: ColumnEvidence
}

export interface DecideInput {
  readonly opened: OpenReading
  readonly sample: Sample
  readonly options: CommonOptions
  readonly context: ValueContext
  readonly names: ColumnNames
  readonly progress: Progress
}

/** Names the columns and finds their types on the sample. */
export async function decideColumns(given: DecideInput): Promise<DecidedColumn[]> {
  const { opened, sample, options, context, names, progress } = given
  const { reading } = opened
  const named = names.nameAll(reading.headers, [])
  const placeOf = placesIn(reading)
  const detectors = named.map(
    (column, at) =>
      new TypeDetector(
        context,
        heldType(options, names, column) ?? statedType(column.name, reading.stated?.[at]),
        placeOf,
      ),
  )
  for (const batch of rowsOfSample(sample)) {
    for (let from = 0; from < batch.rows;) {
      const to = stretchEnd(batch, from)
      for (const [column, detector] of detectors.entries()) {
        detector.observe(batch, column, from, to)
        await progress.pause({ bytesRead: opened.bytesRead, rows: 0, rejected: 0 })
      }
      from = to
    }
  }
  return named.map((column, at) => ({ ...column, ...detectors[at]!.decide() }))
}

export function planOf({ name, column, decision }: DecidedColumn): ColumnPlan {
  return toPlan(name, column, decision)
}

export function placesIn(reading: Reading): PlaceOf {
  return (batch, row, column) => reading.place(batch, row, column)
}

export function heldType(
  { columns = [] }: CommonOptions,
  names: ColumnNames,
  { header, name }: NamedColumn,
): HeldType | null {
  return names.heldType(name, overrideOf(columns, header) ?? overrideOf(columns, name))
}

function statedType(name: string, stated: StatedType | undefined): HeldType | null {
  return stated === undefined ? null : { name, type: stated.type, statedAs: stated.sqlType }
}
