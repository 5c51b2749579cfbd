import { availableParallelism } from 'node:os'

import type { LoadControl, LoadResult, LoadTarget } from '../core/engine.ts'
import { EngineError, onlyWhiteSpace } from '../core/errors.ts'
import type { IngestOptions } from '../core/options.ts'
import type { ColumnPlan } from '../core/plan.ts'
import type { Reading } from '../core/reader.ts'
import type { Source } from '../core/source.ts'
import { sinkStep } from '../sinks/errors.ts'
import { finishLoad } from '../sinks/finish-load.ts'
import { LoadSession } from '../sinks/load-session.ts'
import { RejectLog } from '../sinks/rejects.ts'
import { TableLoad } from '../sinks/table-load.ts'
import { isBlankHeader } from '../transforms/normalise-headers.ts'
import { checkOverrides } from '../transforms/overrides.ts'
import { checkColumnOptions, headersMayGrow, planOf } from './decide-columns.ts'
import { decideTable } from './decide-table.ts'
import type { EngineParts } from './engine-parts.ts'
import { openReading } from './open-reading.ts'
import { Pace } from './pace.ts'
import { runPass } from './pass.ts'
import { describeLoad } from './describe-load.ts'
import { type Restart, restartAfter } from './restart.ts'
import type { RowCaster } from './row-caster.ts'
import { takeSample } from './sample.ts'
import { WidestRow } from './widest-row.ts'

/** An honest source needs two; one that changes under our eyes does not get many more. */
const MOST_PASSES = 4
/** Where rows are logged, two backends keep up with one engine; more need cores of their own. */
const DEFAULT_STREAMS = Math.min(4, Math.max(2, availableParallelism() - 1))

interface Job {
  readonly parts: EngineParts
  readonly source: Source
  readonly options: IngestOptions
  readonly target: LoadTarget
  readonly control: LoadControl
  readonly pace: Pace
  readonly began: number
  /** Opened when the types are known: a slow upload holds no connection while it is sampled. */
  session(): Promise<LoadSession>
}

/** Reads the source into the target's table: once, or once more with what the first pass taught. */
export async function load(
  parts: EngineParts,
  source: Source,
  options: IngestOptions,
  target: LoadTarget,
  control: LoadControl,
): Promise<LoadResult> {
  const began = performance.now()
  checkOverrides(options.columns ?? [])
  let session: LoadSession | null = null
  const job: Job = {
    parts,
    source,
    options,
    target,
    control,
    began,
    pace: new Pace(control, source.kind === 'bytes' ? source : {}),
    async session() {
      session ??= await openSession(parts, target)
      return session
    },
  }
  try {
    let restart: Restart | null = null
    for (let pass = 1; pass <= MOST_PASSES; pass++) {
      const outcome: LoadResult | Restart = await loadOnce(job, restart)
      if ('counts' in outcome) return outcome
      restart = outcome
    }
    throw new EngineError('The source gave other rows each time it was read', { kind: 'structure' })
  } catch (error) {
    // Whatever a cancelled load stumbled over, it was cancelled.
    control.signal.throwIfAborted()
    throw error
  } finally {
    // Typed by hand: the compiler does not see the assignment inside the job.
    const opened = session as LoadSession | null
    opened?.close()
  }
}

async function loadOnce(job: Job, restart: Restart | null): Promise<LoadResult | Restart> {
  const { parts, source, target, control, pace } = job
  const { limits } = parts
  const { signal } = control
  const { options } = job
  const onInvalid = options.onInvalid ?? 'reject'
  const { key } = target
  const reading = await openReading(parts, source, options, signal, restart?.learned)
  const rejects = new RejectLog(parts.tempDir, target.rejectsUnder)
  const widest = new WidestRow(reading)
  try {
    const sample = await takeSample(reading, limits, pace)
    const decided = { reading, sample, options, limits, pace, restart }
    const table = await decideTable({ ...decided, target: target.columns })
    const session = await job.session()
    const plans = table.columns.map(planOf)
    if (key !== null && !headersMayGrow(reading)) requireKey(key, plans)
    const tableLoad = await session.cancellable(signal, () =>
      sinkStep('creating the table', () => TableLoad.open(session, target, plans)),
    )
    try {
      const rows = { load: tableLoad, widest, rejects, pace, signal }
      const { rowsBefore } = target
      const pass = { ...table, ...rows, reading, sample, onInvalid, key, rowsBefore }
      const { caster, stands } = await runPass(pass)
      caster.refusing.refuse()
      if (holdsNothing(reading, caster)) throw onlyWhiteSpace()
      if (headersMayGrow(reading)) checkColumnOptions(options, table.late.allNames)
      if (!stands) return restartAfter(reading, table, caster, restart)
      if (key !== null) requireKey(key, plans)

      pace.enter('publishing', {
        bytesRead: reading.bytesRead,
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
            reading,
            columns: table.columns,
            caster,
            restart,
            superseded,
            streams: tableLoad.streams,
            durationMs: Math.round(performance.now() - job.began),
          }),
      })
    } catch (error) {
      // Whatever it is: a connection that still waits for rows must not go back to others.
      await tableLoad.abort(error as Error)
      throw error
    }
  } catch (error) {
    throw widest.named(error)
  } finally {
    rejects.close()
    await reading.close()
  }
}

/** Opened by its first bytes alone, a text of many blank lines seems to have a header and rows. */
function holdsNothing(reading: Reading, { read, blank }: RowCaster): boolean {
  const { headers } = reading
  if (read !== blank || headers.length !== 1 || !isBlankHeader(headers[0])) return false
  return reading.describe().format === 'csv'
}

async function openSession(parts: EngineParts, target: LoadTarget): Promise<LoadSession> {
  return sinkStep('connecting', async () => {
    const session = await LoadSession.open(() => target.connect())
    const streams = target.streams ?? parts.streams
    await session.grow(streams ?? ((await session.keepsLittleWal()) ? 1 : DEFAULT_STREAMS))
    return session
  })
}

function requireKey(header: string, columns: readonly ColumnPlan[]): void {
  if (columns.some(({ name }) => name === header)) return
  throw new EngineError(`The key «${header}» is not a column of the input`, {
    kind: 'options',
    pointer: '/mode/key',
  })
}
