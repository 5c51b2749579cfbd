import type { LoadControl, LoadResult, LoadTarget } from '../core/engine.ts'
import { EngineError } from '../core/errors.ts'
import type { IngestOptions } from '../core/options.ts'
import type { Source } from '../core/source.ts'
import { chooseStreams, type StreamChoice } from '../sinks/choose-streams.ts'
import { sinkStep } from '../sinks/errors.ts'
import { finishLoad } from '../sinks/finish-load.ts'
import { LoadSession } from '../sinks/load-session.ts'
import { RejectLog } from '../sinks/rejects.ts'
import { TableLoad } from '../sinks/table-load.ts'
import { checkOptions } from './check-options.ts'
import { planOf } from './decide-columns.ts'
import { decideTable } from './decide-table.ts'
import type { EngineParts } from './engine-parts.ts'
import { ExpectedColumns } from './expected-columns.ts'
import { openReading } from './open-reading.ts'
import { Progress } from './progress.ts'
import { runPass } from './pass.ts'
import { describeLoad } from './describe-load.ts'
import { type Restart, restartAfter } from './restart.ts'
import { takeSample } from './sample.ts'
import { totalWarnings } from './total-rows.ts'
import { WidestRow } from './widest-row.ts'
import { refusalMessages } from './refusal-messages.ts'

const NOTHING_YET = { bytesRead: 0, rows: 0, rejected: 0 }

/** An unchanging source needs two passes; one that changes meanwhile gets no more than these. */
const MOST_PASSES = 4

interface Job {
  readonly parts: EngineParts
  readonly source: Source
  readonly options: IngestOptions
  readonly target: LoadTarget
  readonly control: LoadControl
  readonly progress: Progress
  readonly began: number
  /** Opened when the types are known, so that a slow upload holds no connection while it is sampled. */
  session(): Promise<ChosenSession>
}

interface ChosenSession {
  readonly session: LoadSession
  readonly choice: StreamChoice
}

/** Reads the source into the target's table: once, or a second time with what the first pass found out. */
export async function load(
  parts: EngineParts,
  source: Source,
  options: IngestOptions,
  target: LoadTarget,
  control: LoadControl,
): Promise<LoadResult> {
  const began = performance.now()
  checkOptions(parts, options)
  let opened: ChosenSession | null = null
  const job: Job = {
    parts,
    source,
    options,
    target,
    control,
    began,
    progress: new Progress(control, source.kind === 'bytes' ? source : {}),
    async session() {
      opened ??= await openSession(parts, target)
      return opened
    },
  }
  try {
    let restart: Restart | null = null
    for (let pass = 1; pass <= MOST_PASSES; pass++) {
      const outcome: LoadResult | Restart = await loadOnce(job, restart)
      if ('counts' in outcome) return outcome
      restart = outcome
    }
    throw new EngineError(refusalMessages.changingSource(), { kind: 'structure' })
  } catch (error) {
    // A cancelled load fails with the reason of its cancellation, whatever error that led to.
    control.signal.throwIfAborted()
    throw error
  } finally {
    // Cast by hand: the compiler does not see the assignment inside the callback.
    const chosen = opened as ChosenSession | null
    chosen?.session.close()
  }
}

async function loadOnce(job: Job, restart: Restart | null): Promise<LoadResult | Restart> {
  const { parts, source, target, control, progress } = job
  const { limits } = parts
  const { signal } = control
  const { options } = job
  const onInvalid = options.onInvalid ?? 'reject'
  const { key } = target
  const expected = new ExpectedColumns(options, key)
  const opened = await openReading(parts, source, options, signal, restart?.learned)
  const { reading } = opened
  const rejects = new RejectLog(parts.tempDir, target.rejectsUnder)
  const widest = new WidestRow(reading)
  try {
    const sample = await takeSample(opened, limits, progress)
    const found = { opened, sample, options, limits, progress, expected, restart }
    const table = await decideTable({ ...found, target: target.columns })
    opened.settle(
      table.columns.map(({ decision }) => decision),
      table.context,
    )
    const { session, choice } = await job.session()
    const plans = table.columns.map(planOf)
    const tableLoad = await session.cancellable(signal, () =>
      sinkStep('creating the table', () => TableLoad.open(session, target, plans)),
    )
    try {
      const rows = { load: tableLoad, widest, rejects, progress, signal }
      const { rowsBefore } = target
      const pass = { ...table, ...rows, opened, sample, onInvalid, key, rowsBefore }
      // Taken before the pass releases the sample.
      const totals = await totalWarnings(table, sample, () => progress.pause(NOTHING_YET))
      const { caster, stands, lastRow } = await runPass(pass)
      // What is refused now may be text to the next pass.
      if (reading.misjudged?.texts === undefined) caster.refusing.refuse(table.columns)
      expected.require(table.late.allNames)
      if (!stands) return restartAfter(reading, table, caster, restart)

      progress.enter('publishing', {
        bytesRead: opened.bytesRead,
        rows: caster.loaded,
        rejected: caster.rejected,
      })
      return await finishLoad({
        session,
        load: tableLoad,
        target,
        filled: {
          table: tableLoad.table,
          columns: plans,
          rows: caster.loaded,
          timezone: options.timezone ?? 'UTC',
        },
        rejects,
        signal,
        describe: (superseded) =>
          describeLoad({
            options,
            opened,
            columns: table.columns,
            caster,
            restart,
            superseded,
            totals: [...totals, ...lastRow.warnings(table, sample)],
            streams: tableLoad.streams,
            choice,
            durationMs: Math.round(performance.now() - job.began),
          }),
      })
    } catch (error) {
      // Whatever the error is, a connection that is still in a COPY must not go back to others.
      await tableLoad.abort(error as Error)
      throw error
    }
  } catch (error) {
    throw widest.named(error)
  } finally {
    rejects.close()
    await opened.close()
  }
}

async function openSession(parts: EngineParts, target: LoadTarget): Promise<ChosenSession> {
  return sinkStep('connecting', async () => {
    const session = await LoadSession.open(() => target.connect())
    const choice = await chooseStreams(session.client, target.streams ?? parts.streams)
    await session.grow(choice.count)
    return { session, choice }
  })
}
