import { isBlankRow } from '../cells/white-space.ts'
import type { Batch } from '../core/batch.ts'
import type { Preview, PreviewControl, PreviewedLine, TargetColumns } from '../core/engine.ts'
import { OpenRowTooLongError } from '../core/errors.ts'
import type { IngestOptions } from '../core/options.ts'
import type { DataSource } from '../core/source.ts'
import type { TableReport } from '../core/table-report.ts'
import { CopyChunk } from '../sinks/copy-lanes.ts'
import { SampleSink, type SampleSize, SampleTooLongError } from '../sinks/sample.ts'
import { checkOptions } from './format-options.ts'
import { planOf, type DecidedTable, decideTable, ExpectedColumns } from './decide-table.ts'
import type { EngineParts } from './engine-parts.ts'
import { wayOut } from './offer-remedies.ts'
import { openReading } from './open-reading.ts'
import { Progress } from './progress.ts'
import { RowCaster } from './row-caster.ts'
import { rowsOfSample, type Sample, takeSample } from './sample.ts'
import { totalWarnings } from './total-rows.ts'
import { columnWarnings, unseenWarnings } from './describe-load.ts'

/** The first rows, through the same chain as a load: the same headers, the same types. */
export async function preview(
  parts: EngineParts,
  given: DataSource,
  options: IngestOptions,
  control: PreviewControl,
): Promise<Preview> {
  const { source, offer } = wayOut(parts, given, options)
  try {
    return await showBeginning(parts, source, options, control)
  } catch (error) {
    control.signal.throwIfAborted()
    throw await offer(error, control.signal)
  }
}

async function showBeginning(
  parts: EngineParts,
  source: DataSource,
  options: IngestOptions,
  control: PreviewControl,
): Promise<Preview> {
  checkOptions(parts, options)
  const progress = new Progress({ signal: control.signal }, {})
  const { mostBytes = Infinity } = control
  // A row that is too long to be shown is not read to its end.
  const limits = { ...parts.limits, openRowBytes: mostBytes }
  const opened = await openReading({ ...parts, limits }, source, options, control.signal).catch(
    (error: unknown) => {
      throw error instanceof OpenRowTooLongError
        ? new SampleTooLongError(0, { cause: error })
        : error
    },
  )
  const { reading } = opened
  try {
    const sample = await takeSample(opened, limits, progress, control.limit)
    const { expectation } = control
    const target: TargetColumns =
      expectation === undefined ? { kind: 'any' } : { kind: 'expected', expectation }
    const expected = new ExpectedColumns(options, null, target)
    const found = { opened, sample, options, limits, progress }
    const table = await decideTable({ ...found, target, expected, restart: null })
    const skipsBrokenRows = options.onInvalid === 'skip'
    // Invalid cells are counted and shown as NULL, whatever a load would do about them.
    const reject = () => undefined
    const caster = new RowCaster({
      ...table,
      onInvalid: 'null',
      skipsBrokenRows,
      reading,
      reject,
    })
    const pause = () => progress.pause({ bytesRead: opened.bytesRead, rows: 0, rejected: 0 })
    await castSample(caster, sample, pause)
    const most = { rows: control.limit, bytes: mostBytes }
    const { rows: shown, lines } = await showRows(table, sample, most, pause)
    const place = opened.table()
    const columns = table.columns.flatMap((column, at) =>
      column.isLeft
        ? []
        : [{ ...planOf(column), evidence: caster.tally.complete(at, column.evidence) }],
    )
    table.meeting?.requireGiven()
    return {
      columns,
      rows: shown,
      lines: [...linesAround(place.table), ...lines].toSorted((a, b) => a.line - b.line),
      isSample: !sample.isAll || caster.loaded > shown.length,
      invalidCells: caster.invalidCells,
      byRule: caster.ruleTally.byRule,
      reader: reading.reader,
      input: opened.report(),
      ...place,
      ...(table.mapping !== null && { mapping: table.mapping }),
      warnings: [
        ...opened.warnings(options),
        ...unseenWarnings(table.unseen),
        ...columnWarnings(columns, options),
        ...(await totalWarnings(table, sample, pause)),
        ...caster.ruleTally.warnings,
      ],
    }
  } finally {
    await opened.close()
  }
}

/** Lets others have their turn. */
type Pause = () => Promise<void>

async function castSample(caster: RowCaster, sample: Sample, pause: Pause): Promise<void> {
  const scratch = new CopyChunk()
  for (const batch of rowsOfSample(sample)) {
    for (let row = 0; row < batch.rows;) {
      scratch.clear()
      row = caster.cast(batch, row, scratch, scratch.openMessage())
      await pause()
    }
  }
}

async function showRows(
  { columns, context }: DecidedTable,
  sample: Sample,
  most: SampleSize,
  pause: Pause,
): Promise<Pick<Preview, 'rows' | 'lines'>> {
  const sink = new SampleSink(columns, context, most)
  const lines: PreviewedLine[] = []
  for (const batch of rowsOfSample(sample)) {
    for (let row = 0; row < batch.rows && !sink.isFull; row++) {
      const line = batch.lines?.[row] ?? batch.firstRow + row
      if (isBroken(batch, row)) lines.push({ line, role: 'broken' })
      else if (!isBlankRow(batch, row)) {
        sink.take(batch, row)
        lines.push({ line, role: 'data' })
      }
      await pause()
    }
  }
  return { rows: sink.rows, lines }
}

/** Those that are not rows of the table. */
function linesAround(table: TableReport | undefined): PreviewedLine[] {
  if (table === undefined) return []
  const of = (role: PreviewedLine['role'], lines: readonly number[]) =>
    lines.map((line) => ({ line, role }))
  return [
    ...of(
      'title',
      table.titles.map(({ line }) => line),
    ),
    ...of('header', table.header.rows),
    ...of(
      'note',
      table.notes.map(({ line }) => line),
    ),
  ]
}

function isBroken({ faults }: Batch, row: number): boolean {
  return faults.some((fault) => fault.row === row)
}
