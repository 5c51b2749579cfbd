import { setImmediate } from 'node:timers/promises'

import type { LoadControl, LoadPhase, LoadProgress } from '../core/engine.ts'

/** So long may rows be worked on before whoever else lives in this process gets a turn. */
const TURN_MS = 8
const PROGRESS_EVERY_MS = 100

/**
 * Keeps the work fair and told: encoding is synchronous and its input often at hand, so without a
 * pause now and then no timer, socket or health check would get through.
 */
export class Pace {
  readonly #control: LoadControl
  readonly #bytesTotal: number | null
  #turnEnds = performance.now() + TURN_MS
  #nextProgress = 0
  #phase: LoadPhase = 'reading'

  constructor(control: LoadControl, bytesTotal: number | null) {
    this.#control = control
    this.#bytesTotal = bytesTotal
  }

  enter(phase: LoadPhase, state: ProgressState): void {
    this.#phase = phase
    this.#tell(state)
  }

  /** To be awaited between batches. */
  async pause(state: ProgressState): Promise<void> {
    this.#control.signal.throwIfAborted()
    const now = performance.now()
    if (now >= this.#nextProgress) this.#tell(state)
    if (now < this.#turnEnds) return
    await setImmediate()
    this.#turnEnds = performance.now() + TURN_MS
    this.#control.signal.throwIfAborted()
  }

  #tell({ bytesRead, rows, rejected }: ProgressState): void {
    this.#nextProgress = performance.now() + PROGRESS_EVERY_MS
    this.#control.onProgress?.({
      phase: this.#phase,
      bytesRead,
      bytesTotal: this.#bytesTotal,
      rows,
      rejected,
    })
  }
}

export type ProgressState = Pick<LoadProgress, 'bytesRead' | 'rows' | 'rejected'>
