import type { LoadResult } from '../core/engine.ts'
import type { IngestOptions, ColumnType, CommonOptions, UiDateFormat } from '../core/options.ts'
import type { ReportedColumn } from '../core/report.ts'
import type { Warning } from '../core/warning.ts'
import type { StreamChoice } from '../sinks/copy-lanes.ts'
import { streamMessages } from '../sinks/stream-messages.ts'
import { type DecidedColumn, planOf, type Restart } from './decide-table.ts'
import type { OpenReading } from './open-reading.ts'
import type { RowCaster } from './row-caster.ts'
import { warningMessages } from './warning-messages.ts'
import type { Remedy } from '../core/remedy.ts'
import { remedyMessages } from './remedy-messages.ts'
import { withColumns } from './with-columns.ts'

interface FinishedLoad {
  readonly options: IngestOptions
  readonly opened: OpenReading
  readonly columns: readonly DecidedColumn[]
  readonly caster: RowCaster
  readonly restart: Restart | null
  /** Rows that look like totals. */
  readonly totals: readonly Warning[]
  readonly streams: number
  /** The number of streams that was wanted. */
  readonly choice: StreamChoice
}

/** What is known only once the rows are stored. */
interface LoadEnd {
  /** Rows that were replaced by a later one with the same key. */
  readonly superseded: number
  readonly durationMs: number
}

/** The whole story of a load, as plain JSON: of what was read at once, while the database stores it. */
export function describeLoad(load: FinishedLoad): (end: LoadEnd) => LoadResult {
  const { opened, caster, restart, streams, choice } = load
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
  const ofRules = caster.ruleTally.warnings
  const report = {
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
    ],
    streams,
    streamsBecause:
      streams < choice.count
        ? streamMessages.noConnections({ wanted: choice.count })
        : choice.because,
    bytesRead: opened.bytesRead,
  }
  return ({ superseded, durationMs }) => {
    const warnings = [...report.warnings, ...supersededWarning(superseded), ...ofRules]
    return { columns, counts, report: { ...report, warnings, durationMs } }
  }
}

function supersededWarning(superseded: number): readonly Warning[] {
  if (superseded === 0) return []
  return [{ code: 'rows-superseded', message: warningMessages.superseded({ count: superseded }) }]
}

/** Dates that programs write where there is no date. */
const PLACEHOLDER_RULES = ['epoch', 'excel-day-zero', 'excel-day-one']

/** What a person should look at in the columns, though nothing failed. */
export function columnWarnings(
  columns: readonly ReportedColumn[],
  options: CommonOptions,
): readonly Warning[] {
  return columns.flatMap(({ name, type, given, dateFormat, pattern, evidence }) => {
    const warnings: Warning[] = []
    if (evidence.ambiguous) {
      warnings.push(
        type === 'date'
          ? {
              code: 'day-and-month-ambiguous',
              message: warningMessages.dayAndMonth({ name, format: dateFormat ?? '' }),
              column: name,
              ...mendedBy(monthFirst(name, dateFormat, evidence, options)),
            }
          : {
              code: 'decimal-sign-ambiguous',
              message: warningMessages.decimalSign({ name }),
              column: name,
              remedies: (['.', ','] as const).map((sign) => ({
                options: { ...options, decimal: sign },
                message: remedyMessages.decimal({ sign }),
                leaves: 0,
              })),
            },
      )
    }
    if (evidence.mixedUnits !== undefined) {
      const units = evidence.mixedUnits.filter((unit) => unit !== '')
      const message = warningMessages.mixedUnits({
        name,
        units: units.join(', '),
        someWithout: units.length < evidence.mixedUnits.length,
      })
      warnings.push({ code: 'mixed-units', message, column: name })
    }
    if (evidence.fallbackParsed > 0) {
      warnings.push({
        code: 'dates-in-another-format',
        message: warningMessages.otherFormat({
          name,
          count: evidence.fallbackParsed,
          format: pattern ?? dateFormat ?? '',
        }),
        column: name,
      })
    }
    if (evidence.fittingPattern !== undefined) {
      const told = { name, pattern: evidence.fittingPattern }
      const message =
        type === 'date'
          ? warningMessages.patternReadsOtherwise(told)
          : warningMessages.patternWouldFit(told)
      const remedy = patternRemedy(name, evidence.fittingPattern, options)
      warnings.push({ code: 'pattern-would-fit', message, column: name, remedies: [remedy] })
    }
    if (evidence.asShown !== undefined) {
      const { value, line } = evidence.asShown
      warnings.push({
        code: 'digits-as-shown',
        message: warningMessages.digitsAsShown({ name, value }),
        column: name,
        ...mendedBy(typeRemedy(name, 'number', 0, options)),
        ...(line !== undefined && { line }),
      })
    }
    if (evidence.rounded !== undefined) {
      const { value, line } = evidence.rounded
      warnings.push({
        code: 'identifiers-rounded',
        message: warningMessages.identifiersRounded({ name, value }),
        column: name,
        ...(line !== undefined && { line }),
      })
    }
    const placeholders = PLACEHOLDER_RULES.reduce(
      (sum, rule) => sum + (evidence.nulls[rule] ?? 0),
      0,
    )
    if (placeholders > 0) {
      warnings.push({
        code: 'placeholder-dates',
        message: warningMessages.placeholderDates({ name, count: placeholders }),
        column: name,
        ...mendedBy({
          options: { ...options, datePlaceholders: false },
          message: remedyMessages.keepDays(),
          leaves: 0,
        }),
      })
    }
    const staying = staysText(name, type, given, evidence, options)
    if (staying !== null) warnings.push(staying)
    return warnings
  })
}

/** A column is only warned of if at most this percentage of its values keeps it from another type. */
const FEW_PERCENT = 5
const LEAST_SAMPLED = 5

/** A column that stays text although nearly all of its values would fit another type. */
function staysText(
  name: string,
  type: string,
  given: boolean,
  { sampled, candidates, counterExample }: ReportedColumn['evidence'],
  options: CommonOptions,
): Warning | null {
  const other = candidates.find((candidate) => candidate.type !== 'text')
  if (type !== 'text' || given || other === undefined || counterExample === null) return null
  const count = sampled - other.accepted
  const isFew = sampled >= LEAST_SAMPLED && count * 100 <= Math.max(100, FEW_PERCENT * sampled)
  if (count === 0 || !isFew) return null
  const { value, line } = counterExample
  const message = warningMessages.staysText({ name, count, value, type: other.type })
  return {
    code: 'stays-text',
    message,
    column: name,
    ...(line !== undefined && { line }),
    ...mendedBy(typeRemedy(name, other.type as ColumnType, count, options)),
  }
}

const mendedBy = (remedy: Remedy | null): Pick<Warning, 'remedies'> =>
  remedy === null ? {} : { remedies: [remedy] }

function patternRemedy(name: string, pattern: string, options: CommonOptions): Remedy {
  return {
    options: withColumns(options, { name, type: 'date', pattern }),
    message: remedyMessages.pattern({ name, pattern }),
    leaves: 0,
  }
}

/** The other order; with a year of two digits only a pattern says it, which has its own warning. */
function monthFirst(
  name: string,
  dateFormat: UiDateFormat | undefined,
  { fittingPattern }: ReportedColumn['evidence'],
  options: CommonOptions,
): Remedy | null {
  if (fittingPattern !== undefined) return patternRemedy(name, fittingPattern, options)
  const format = dateFormat === 'MM/DD/YYYY' ? 'DD/MM/YYYY' : 'MM/DD/YYYY'
  return {
    options: withColumns(options, { name, type: 'date', dateFormat: format }),
    message: remedyMessages.dateFormat({ name, format }),
    leaves: 0,
  }
}

/** What does not fit the type becomes a reject, so that the rest has it. */
function typeRemedy(name: string, type: ColumnType, count: number, options: CommonOptions): Remedy {
  const message = remedyMessages.asType({ name, type })
  const asType = withColumns(options, { name, type })
  if (count === 0) return { options: asType, message, leaves: 0 }
  return {
    options: { ...asType, onInvalid: 'skip' },
    message: remedyMessages.andSkip({ first: message, rows: count }),
    leaves: count,
  }
}

export function unseenWarnings(columns: readonly string[]): readonly Warning[] {
  return columns.map((name) => ({
    code: 'column-not-seen',
    message: warningMessages.notSeen({ name }),
    column: name,
  }))
}
