import type { CopiedRows, CopyTarget, IntakeControl, Judgement } from '../core/engine.ts'
import { type CellError, EngineError } from '../core/errors.ts'
import type { IngestOptions } from '../core/options.ts'
import type { DataSource } from '../core/source.ts'
import { chooseStreams, type StreamChoice } from '../sinks/copy-lanes.ts'
import { SinkError, sinkStep } from '../sinks/errors.ts'
import type { LoadSession } from '../sinks/load-session.ts'
import { type RejectedRow, RejectLog, type RowSink, TableLoad } from '../sinks/table-load.ts'
import type { RefusedCells } from './cell-remedies.ts'
import { checkOptions } from './format-options.ts'
import { kept } from './column-names.ts'
import {
  admit,
  type DecidedTable,
  decideTable,
  planOf,
  type Restart,
  ExpectedColumns,
} from './decide-table.ts'
import { describeLoad } from './describe-load.ts'
import type { EngineParts } from './engine-parts.ts'
import { type WayOut, wayOut } from './offer-remedies.ts'
import {
  addedCounts,
  brokenRow,
  countOf,
  ERRORS_JUDGED,
  listed,
  NOTHING_BROKEN,
  withAllElse,
  type OverRows,
} from './judged-together.ts'
import { locateErrors } from './locate-errors.ts'
import { type OpenReading, openReading } from './open-reading.ts'
import { runPass } from './pass.ts'
import { Progress } from './progress.ts'
import { refusalMessages } from './refusal-messages.ts'
import { restartAfter } from './restart.ts'
import { type Sample, takeSample } from './sample.ts'
import { totalWarnings } from './total-rows.ts'
import { WidestRow } from './widest-row.ts'

const NOTHING_YET = { bytesRead: 0, rows: 0, rejected: 0 }

/** An unchanging source needs two passes; one that changes meanwhile gets no more than these. */
const MOST_PASSES = 4

/** The source, open at its first row, and what its columns are by the sample. */
interface Beginning {
  readonly opened: OpenReading
  readonly sample: Sample
  readonly table: DecidedTable
  readonly expected: ExpectedColumns
  /** No more headers can appear. */
  readonly areAllKnown: boolean
}

/** A pass that stands. */
interface FinishedPass extends Pick<
  CopiedRows,
  'mapping' | 'columns' | 'rows' | 'rejected' | 'distinct'
> {
  readonly load: TableLoad
  readonly describe: ReturnType<typeof describeLoad>
}

/** A source whose beginning was read: the columns are decided, and nothing is written yet. */
export class Intake implements AsyncDisposable {
  readonly #parts: EngineParts
  readonly #source: DataSource
  readonly #wayOut: WayOut
  readonly #options: IngestOptions
  readonly #control: IntakeControl
  readonly #progress: Progress
  readonly #began: number
  #restart: Restart | null = null
  #beginning: Beginning | null = null
  #rejects: RejectLog | null = null
  #load: RowSink | null = null

  private constructor(
    parts: EngineParts,
    source: DataSource,
    options: IngestOptions,
    control: IntakeControl,
  ) {
    this.#parts = parts
    this.#wayOut = wayOut(parts, source, options)
    this.#source = this.#wayOut.source
    this.#options = options
    this.#control = control
    this.#progress = new Progress(control, source.kind === 'bytes' ? source : {})
    this.#began = performance.now()
  }

  static async open(
    parts: EngineParts,
    source: DataSource,
    options: IngestOptions,
    control: IntakeControl,
  ): Promise<Intake> {
    checkOptions(parts, options)
    const intake = new Intake(parts, source, options, control)
    await intake.#orCancelled(() => intake.#begin())
    return intake
  }

  /**
   * Copies all rows: in one pass, or in a second one with what the first has found out. With one
   * stream, the table and its rows are still part of the session's transaction until they are kept.
   */
  copyInto(target: CopyTarget, session: LoadSession): Promise<CopiedRows> {
    return this.#orCancelled(async () => {
      const choice = await sinkStep('connecting', () => this.#grow(target, session))
      for (let pass = 1; pass <= MOST_PASSES; pass++) {
        const finished = await this.#copyOnce(target, session, choice)
        if (finished !== null) return this.#copied(finished)
        await this.#begin()
      }
      throw new EngineError(refusalMessages.changingSource(), { kind: 'structure' })
    })
  }

  /**
   * Reads all rows and says what is wrong with them; nothing stays written. Rows that are broken are
   * told of if the intake skips them. `options`: those that remedies begin with; `over`: null if
   * nothing is asked of all rows together.
   */
  judge(options: IngestOptions, over: OverRows | null): Promise<Judgement> {
    return this.#orCancelled(async () => {
      for (let pass = 1; pass <= MOST_PASSES; pass++) {
        const judged = await this.#judgeOnce(options, over)
        if (judged !== null) return judged
        await this.#begin()
      }
      throw new EngineError(refusalMessages.changingSource(), { kind: 'structure' })
    })
  }

  /** Null: another pass will know better. */
  async #judgeOnce(options: IngestOptions, over: OverRows | null): Promise<Judgement | null> {
    const { opened, sample, table, expected, areAllKnown } = this.#beginning!
    const { key, signal, columns: target } = this.#control
    const progress = this.#progress
    const broken: CellError[] = []
    const rejects = {
      add(row: RejectedRow) {
        if (broken.length < ERRORS_JUDGED) broken.push(brokenRow(row))
      },
    }
    const totals = await totalWarnings(table, sample, () => progress.pause(NOTHING_YET))
    const plans = kept(table.columns).map(planOf)
    const together = (await over?.open(plans, signal)) ?? null
    this.#load = together?.load ?? null
    const { caster, stands, lastRow } = await runPass({
      ...table,
      opened,
      sample,
      onInvalid: 'reject',
      skipsBrokenRows: true,
      errorsShown: ERRORS_JUDGED,
      key,
      rowsBefore: over?.rowsBefore ?? 0n,
      numberedAsRead: true,
      rejects,
      load: this.#load,
      isJudged: true,
      progress,
      signal,
    })
    expected.require(table.late.allNames)
    if (!stands) {
      await this.#takeBack()
      this.#restart = restartAfter(opened.reading, table, caster, this.#restart)
      return null
    }
    if (!areAllKnown) admit(table, target)
    const { refusing, ruleTally, read, blank, rejected } = caster
    const overRows = (await together?.ask()) ?? NOTHING_BROKEN
    await this.#takeBack()
    const located = await this.#located(overRows.errors, table)
    const { shown } = refusing
    const remedies = refusing.remedies(table.columns, { ...this.#asked, options })
    return {
      rows: read - blank,
      errors: listed([...broken, ...shown, ...located], overRows.ofOthers),
      totalErrors: refusing.total + rejected + countOf(overRows.byRule),
      byRule: addedCounts(ruleTally.byRule, overRows.byRule),
      remedies: await this.#wayOut.besides({ options, errors: shown, remedies }, signal),
      mapping: table.mapping,
      warnings: [
        ...opened.warnings(this.#options),
        ...totals,
        ...lastRow.warnings(table, sample),
        ...ruleTally.warnings,
        ...overRows.warnings,
      ],
    }
  }

  async #located(
    errors: readonly CellError[],
    { columns }: DecidedTable,
  ): Promise<readonly CellError[]> {
    const learned = this.#restart?.learned
    const { signal } = this.#control
    const open = () => openReading(this.#parts, this.#source, this.#options, signal, learned)
    // Records have no lines.
    return this.#source.kind === 'records' ? errors : locateErrors(open, { errors, columns })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#takeBack()
    this.#rejects?.close()
    await this.#close()
  }

  /** A connection that is still in a COPY or a transaction must not go back to others. */
  async #takeBack(): Promise<void> {
    const load = this.#load
    this.#load = null
    await load?.abort(new Error('The rows were not kept'))
  }

  /**
   * A cancelled load fails with the reason of its cancellation, whatever error that led to; a refused
   * one with what would let it load.
   */
  async #orCancelled<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await work()
    } catch (error) {
      await this[Symbol.asyncDispose]()
      const { signal } = this.#control
      signal.throwIfAborted()
      const offered = await this.#wayOut.offer(error, signal)
      // What is broken even so cannot be read on.
      const isSkipping = this.#options.onInvalid === 'skip'
      const told = isSkipping ? offered : await withAllElse(offered, () => this.#judgeAgain())
      signal.throwIfAborted()
      throw told
    }
  }

  async #judgeAgain(): Promise<Judgement> {
    const { onProgress: _, ...control } = this.#control
    const options = { ...this.#options, onInvalid: 'skip' as const }
    await using again = await Intake.open(this.#parts, this.#source, options, control)
    return await again.judge(this.#options, null)
  }

  async #grow({ streams }: CopyTarget, session: LoadSession): Promise<StreamChoice> {
    const choice = await chooseStreams(session.client, streams ?? this.#parts.streams)
    await session.grow(choice.count)
    return choice
  }

  async #begin(): Promise<void> {
    const { limits } = this.#parts
    const { columns: target, key, signal } = this.#control
    const options = this.#options
    const restart = this.#restart
    const progress = this.#progress
    await this.#close()
    const expected = new ExpectedColumns(options, key, target)
    const opened = await openReading(this.#parts, this.#source, options, signal, restart?.learned)
    try {
      const sample = await takeSample(opened, limits, progress)
      const found = { opened, sample, options, limits, progress, expected, restart }
      const table = await decideTable({ ...found, target })
      const areAllKnown = sample.isAll || !opened.reading.headersGrow
      if (areAllKnown) admit(table, target)
      opened.settle(
        table.columns.map(({ decision }) => decision),
        table.context,
      )
      this.#beginning = { opened, sample, table, expected, areAllKnown }
    } catch (error) {
      await opened.close()
      throw error
    }
  }

  async #close(): Promise<void> {
    const beginning = this.#beginning
    this.#beginning = null
    await beginning?.opened.close()
  }

  /** What remedies are judged by, besides the cells. */
  get #asked(): Pick<RefusedCells, 'options' | 'isNew'> {
    const { columns } = this.#control
    const isNew =
      columns.kind === 'any' || columns.expectation.columns.every(({ holds }) => holds !== 'rows')
    return { options: this.#options, isNew }
  }

  /** Null: the pass was void, and the next one will know why. */
  async #copyOnce(
    target: CopyTarget,
    session: LoadSession,
    choice: StreamChoice,
  ): Promise<FinishedPass | null> {
    const { opened, sample, table, expected, areAllKnown } = this.#beginning!
    const { key, signal } = this.#control
    const onInvalid = this.#options.onInvalid ?? 'reject'
    const progress = this.#progress
    const widest = new WidestRow(opened.reading)
    this.#rejects?.close()
    const rejects = new RejectLog(this.#parts.tempDir, target.rejectsUnder)
    this.#rejects = rejects
    const plans = kept(table.columns).map(planOf)
    const load = await session.cancellable(signal, () =>
      sinkStep('creating the table', () => TableLoad.open(session, target, plans)),
    )
    this.#load = load
    try {
      const into = { load, widest, rejects, progress, signal }
      const { rowsBefore } = target
      const pass = { ...table, ...into, opened, sample, onInvalid, key, rowsBefore }
      // Taken before the pass releases the sample.
      const totals = await totalWarnings(table, sample, () => progress.pause(NOTHING_YET))
      const { caster, stands, lastRow } = await runPass(pass)
      // What is refused now may be text to the next pass, or be there.
      const mayBeOtherwise = opened.reading.misjudged?.texts !== undefined || table.late.found
      if (!mayBeOtherwise) {
        const { byRule } = caster.ruleTally
        caster.refusing.refuse(table.columns, { ...this.#asked, byRule })
      }
      expected.require(table.late.allNames)
      if (!stands) {
        this.#load = null
        this.#restart = restartAfter(opened.reading, table, caster, this.#restart)
        return null
      }
      if (!areAllKnown) admit(table, this.#control.columns)
      const { loaded: rows, rejected, distinct } = caster
      progress.enter('publishing', { bytesRead: opened.bytesRead, rows, rejected })
      const { columns, mapping } = table
      const describe = describeLoad({
        options: this.#options,
        opened,
        columns,
        caster,
        restart: this.#restart,
        totals: [...totals, ...lastRow.warnings(table, sample)],
        streams: load.streams,
        choice,
      })
      // The source is let go of before the database is waited for.
      await this.#close()
      const copied = await sinkStep('ending the copy', () => load.finish())
      if (copied !== rows) {
        throw new SinkError(`The database took ${copied} rows, but ${rows} were sent`)
      }
      return { load, mapping, columns: plans, rows, rejected, distinct, describe }
    } catch (error) {
      throw widest.named(error)
    }
  }

  #copied({ load, describe, ...facts }: FinishedPass): CopiedRows {
    return {
      ...facts,
      table: load.table,
      timezone: this.#options.timezone ?? 'UTC',
      keep: async (work) => {
        const result = await load.keep(work)
        this.#load = null
        return result
      },
      describe: (superseded) =>
        describe({ superseded, durationMs: Math.round(performance.now() - this.#began) }),
      copyRejects: (client, into) =>
        sinkStep('keeping the rejected rows', () => this.#rejects!.copyInto(client, into)),
      [Symbol.asyncDispose]: () => this.#takeBack(),
    }
  }
}
