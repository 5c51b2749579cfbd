import type { InvalidPolicy } from '../core/options.ts'
import { CopyChunk } from '../sinks/copy-lanes.ts'
import type { TableRules } from '../rules/table-rules.ts'
import type { RejectedRow, RowSink } from '../sinks/table-load.ts'
import type { ValueContext } from '../transforms/value-context.ts'
import type { DecidedColumn, LateColumns } from './decide-table.ts'
import type { OpenReading } from './open-reading.ts'
import type { Progress } from './progress.ts'
import { RowCaster } from './row-caster.ts'
import type { Sample } from './sample.ts'
import { LastRow } from './total-rows.ts'
import type { WidestRow } from './widest-row.ts'

interface Pass {
  readonly opened: OpenReading
  readonly sample: Sample
  readonly columns: readonly DecidedColumn[]
  readonly context: ValueContext
  readonly late: LateColumns
  readonly onInvalid: InvalidPolicy
  readonly key: string | null
  readonly rowsBefore: bigint
  readonly rules: TableRules | null
  readonly skipsBrokenRows?: boolean
  readonly errorsShown?: number
  readonly rejects: { add(row: RejectedRow): void }
  readonly widest?: WidestRow
  /** Null: the rows go nowhere. */
  readonly load: RowSink | null
  /** What is wrong is counted, and ends nothing. */
  readonly isJudged?: boolean
  readonly numberedAsRead?: boolean
  readonly progress: Progress
  readonly signal: AbortSignal
}

interface PassOutcome {
  readonly caster: RowCaster
  /** False: the rows cannot be used; the database has already dropped them. Another pass is needed. */
  readonly stands: boolean
  readonly lastRow: LastRow
}

/**
 * Sends every row on; whoever opened the load ends it if this fails. If something
 * makes the whole pass void, nothing more is loaded, but the pass goes on to the end to find
 * everything else that is wrong.
 */
export async function runPass(pass: Pass): Promise<PassOutcome> {
  const { opened, sample, late, rejects, load, progress, signal } = pass
  const { reading } = opened
  let filler: Filler | null = load === null ? null : new Filler(load)
  const caster = new RowCaster({
    ...pass,
    reading,
    // The log of a void pass is thrown away, so it need not grow any more.
    reject: (row) => {
      if (filler !== null || load === null) rejects.add(row)
    },
  })
  const lastRow = new LastRow()
  const scratch = new CopyChunk()
  const state = () => ({
    bytesRead: opened.bytesRead,
    rows: caster.loaded,
    rejected: caster.rejected,
  })
  const isMisread = () =>
    caster.surveys.foundBroken || late.found || (reading.misjudged ?? null) !== null
  const isVoid = () => isMisread() || (!pass.isJudged && caster.refusing.total > 0)

  const wake = () => load?.fail(signal.reason as Error)
  signal.addEventListener('abort', wake, { once: true })
  try {
    progress.enter('loading', state())
    // From here on the input holds the only reference to the batches, and releases them one by
    // one.
    opened.putBack(sample.batches.splice(0))
    for (let batch = await opened.next(); batch !== null; batch = await opened.next()) {
      late.note(batch)
      lastRow.see(batch)
      let row = 0
      while (row < batch.rows) {
        scratch.clear()
        const out: CopyChunk = filler === null ? scratch : (filler.chunk ?? (await filler.next()))
        row = caster.cast(batch, row, out, out.openMessage())
        filler?.sendIfFull()
        await progress.pause(state())
      }
      if (filler !== null && isVoid()) {
        filler = null
        await load?.abort(new Error('The load begins again'))
        progress.enter('surveying', state())
      }
      await caster.surveys.observe(batch, () => progress.pause(state()))
      reading.recycle?.(batch)
    }
    if (filler !== null && isVoid()) {
      filler = null
      await load?.abort(new Error('The load begins again'))
    }
    filler?.sendRest()
    return { caster, stands: load === null ? !isMisread() : filler !== null, lastRow }
  } finally {
    signal.removeEventListener('abort', wake)
  }
}

/** Holds the chunk that is being filled. */
class Filler {
  readonly #load: RowSink
  chunk: CopyChunk | null = null

  constructor(load: RowSink) {
    this.#load = load
  }

  async next(): Promise<CopyChunk> {
    let chunk = this.#load.take()
    while (chunk === null) {
      await this.#load.available()
      chunk = this.#load.take()
    }
    this.chunk = chunk
    return chunk
  }

  sendIfFull(): void {
    if (this.chunk?.isFull === true) this.sendRest()
  }

  sendRest(): void {
    if (this.chunk !== null && !this.chunk.isEmpty) this.#load.send(this.chunk)
    this.chunk = null
  }
}
