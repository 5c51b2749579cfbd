import type { LoadResult } from '../core/engine.ts'
import type { IngestOptions } from '../core/options.ts'
import type { ReportedColumn } from '../core/report.ts'
import { type DecidedColumn, planOf } from './decide-columns.ts'
import type { OpenReading } from './open-reading.ts'
import type { Restart } from './restart.ts'
import type { RowCaster } from './row-caster.ts'
import { columnWarnings } from './warnings.ts'

export interface FinishedLoad {
  readonly options: IngestOptions
  readonly opened: OpenReading
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
  const { opened, caster, restart, superseded, streams, durationMs } = load
  const columns: readonly ReportedColumn[] = load.columns.map((column, at) => ({
    ...planOf(column),
    evidence: caster.surveys.complete(at, caster.tally.complete(at, column.evidence)),
  }))
  const { read, loaded, rejected, blank } = caster
  if (read !== loaded + rejected + blank) {
    throw new Error(`${read} rows were read, but ${loaded} + ${rejected} + ${blank} accounted for`)
  }
  const counts = { read, loaded, rejected, blank }
  const widenings = restart?.widenings ?? []
  return {
    columns,
    counts,
    report: {
      reader: opened.reading.reader,
      input: opened.report(),
      columns,
      counts,
      invalidCells: caster.invalidCells,
      widenings,
      restarts: restart?.restarts ?? 0,
      warnings: [
        ...opened.warnings(load.options),
        ...columnWarnings(columns),
        ...widenings.map(
          ({ column, from, to }) => `«${column}» became ${to}: a value did not fit ${from}`,
        ),
        ...supersededWarning(superseded),
      ],
      streams,
      bytesRead: opened.bytesRead,
      durationMs,
    },
  }
}

function supersededWarning(superseded: number): readonly string[] {
  if (superseded === 0) return []
  return [`${superseded} rows gave way to a later row of the input with the same key`]
}
