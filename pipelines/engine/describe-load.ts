import type { LoadResult } from '../core/engine.ts'
import type { IngestOptions } from '../core/options.ts'
import type { ReportedColumn } from '../core/report.ts'
import type { Warning } from '../core/warning.ts'
import type { StreamChoice } from '../sinks/choose-streams.ts'
import { streamMessages } from '../sinks/stream-messages.ts'
import { type DecidedColumn, planOf } from './decide-columns.ts'
import type { OpenReading } from './open-reading.ts'
import type { Restart } from './restart.ts'
import type { RowCaster } from './row-caster.ts'
import { warningMessages } from './warning-messages.ts'
import { columnWarnings } from './warnings.ts'

interface FinishedLoad {
  readonly options: IngestOptions
  readonly opened: OpenReading
  readonly columns: readonly DecidedColumn[]
  readonly caster: RowCaster
  readonly restart: Restart | null
  /** Rows that were replaced by a later one with the same key. */
  readonly superseded: number
  /** Rows that look like totals. */
  readonly totals: readonly Warning[]
  readonly streams: number
  /** The number of streams that was wanted. */
  readonly choice: StreamChoice
  readonly durationMs: number
}

/** The whole story of a load, as plain JSON. */
export function describeLoad(load: FinishedLoad): LoadResult {
  const { opened, caster, restart, superseded, streams, choice, durationMs } = load
  const columns: readonly ReportedColumn[] = load.columns.flatMap((column, at) =>
    column.isLeft
      ? []
      : [
          {
            ...planOf(column),
            evidence: caster.surveys.complete(at, caster.tally.complete(at, column.evidence)),
          },
        ],
  )
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
      ...opened.table(),
      columns,
      counts,
      invalidCells: caster.invalidCells,
      byRule: caster.ruleTally.byRule,
      widenings,
      restarts: restart?.restarts ?? 0,
      warnings: [
        ...opened.warnings(load.options),
        ...columnWarnings(columns, load.options),
        ...load.totals,
        ...widenings.map(({ column, from, to, cause }) => ({
          code: 'type-widened' as const,
          message: warningMessages.widened({ name: column, from, to, value: cause.value }),
          column,
          ...(cause.line !== undefined && { line: cause.line }),
        })),
        ...supersededWarning(superseded),
        ...caster.ruleTally.warnings,
      ],
      streams,
      streamsBecause:
        streams < choice.count
          ? streamMessages.noConnections({ wanted: choice.count })
          : choice.because,
      bytesRead: opened.bytesRead,
      durationMs,
    },
  }
}

function supersededWarning(superseded: number): readonly Warning[] {
  if (superseded === 0) return []
  return [{ code: 'rows-superseded', message: warningMessages.superseded({ count: superseded }) }]
}
