import type { LoadResult } from '../core/engine.ts'
import type { IngestOptions } from '../core/options.ts'
import type { Reading } from '../core/reader.ts'
import type { ReportedColumn } from '../core/report.ts'
import type { Restart } from './restart.ts'
import { type DecidedColumn, planOf } from './decide-columns.ts'
import type { RowCaster } from './row-caster.ts'
import { columnWarnings, optionWarnings, readingWarnings } from './warnings.ts'

export interface FinishedLoad {
  readonly options: IngestOptions
  readonly reading: Reading
  readonly columns: readonly DecidedColumn[]
  readonly caster: RowCaster
  readonly restart: Restart | null
  /** Rows that gave way to a later one with their key. */
  readonly superseded: number
  readonly streams: number
  readonly durationMs: number
}

/** The whole story of a load, as plain JSON. */
export function describeLoad(load: FinishedLoad): LoadResult {
  const { reading, caster, restart, superseded, streams, durationMs } = load
  const columns: readonly ReportedColumn[] = load.columns.map((column, at) => ({
    ...planOf(column),
    evidence: caster.surveys.complete(at, caster.tally.complete(at, column.evidence)),
  }))
  const { read, loaded, rejected, blank } = caster
  if (read !== loaded + rejected + blank) {
    throw new Error(`${read} rows were read, but ${loaded} + ${rejected} + ${blank} accounted for`)
  }
  const counts = { read, loaded, rejected, blank }
  const input = reading.describe()
  const widenings = restart?.widenings ?? []
  return {
    columns,
    counts,
    report: {
      reader: reading.reader,
      input,
      columns,
      counts,
      invalidCells: caster.invalidCells,
      widenings,
      restarts: restart?.restarts ?? 0,
      warnings: [
        ...optionWarnings(load.options, input),
        ...readingWarnings(input),
        ...columnWarnings(columns),
        ...widenings.map(
          ({ column, from, to }) => `«${column}» became ${to}: a value did not fit ${from}`,
        ),
        ...supersededWarning(superseded),
      ],
      streams,
      bytesRead: reading.bytesRead,
      durationMs,
    },
  }
}

function supersededWarning(superseded: number): readonly string[] {
  if (superseded === 0) return []
  return [`${superseded} rows gave way to a later row of the input with the same key`]
}
