import { setImmediate as nextTurn } from 'node:timers/promises'

import type { IntakeControl, LoadPhase, LoadProgress } from '../core/engine.ts'
import type { ByteSource } from '../core/source.ts'

/** How long rows are processed before other work of this process gets a turn. */
const TURN_MS = 8
const PROGRESS_EVERY_MS = 100

type Watched = Pick<IntakeControl, 'signal' | 'onProgress'>

/**
 * Reports progress, and pauses now and then. Encoding is synchronous and its input often available
 * at once: without a pause no timer, socket or health check would get a turn.
 */
export class Progress {
  readonly #control: Watched
  readonly #source: Pick<ByteSource, 'size' | 'sizeAtMost'>
  #turnEnds = performance.now() + TURN_MS
  #nextProgress = 0
  #phase: LoadPhase = 'reading'

  constructor(control: Watched, source: Pick<ByteSource, 'size' | 'sizeAtMost'>) {
    this.#control = control
    this.#source = source
  }

  enter(phase: LoadPhase, state: ProgressState): void {
    this.#phase = phase
    this.#tell(state)
  }

  /** Await it between batches. */
  async pause(state: ProgressState): Promise<void> {
    this.#control.signal.throwIfAborted()
    const now = performance.now()
    if (now >= this.#nextProgress) this.#tell(state)
    if (now < this.#turnEnds) return
    await nextTurn()
    this.#turnEnds = performance.now() + TURN_MS
    this.#control.signal.throwIfAborted()
  }

  #bytesTotal(bytesRead: number): number | null {
    const { size, sizeAtMost } = this.#source
    if (size !== undefined || sizeAtMost === undefined) return size ?? null
    return this.#phase === 'publishing' ? bytesRead : sizeAtMost
  }

  #tell({ bytesRead, rows, rejected }: ProgressState): void {
    this.#nextProgress = performance.now() + PROGRESS_EVERY_MS
    this.#control.onProgress?.({
      phase: this.#phase,
      bytesRead,
      bytesTotal: this.#bytesTotal(bytesRead),
      rows,
      rejected,
    })
  }
}

type ProgressState = Pick<LoadProgress, 'bytesRead' | 'rows' | 'rejected'>
