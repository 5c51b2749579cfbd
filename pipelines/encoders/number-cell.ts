import { CellKind } from '../core/batch.ts'
import { EITHER, NumberScanner, POINT, notationBit } from '../numbers/scan-number.ts'
import type { NumberDecision } from './column-decision.ts'
import { Outcome } from '../cells/outcome.ts'

/** Reads the cells of a number column in the notation that was decided. */
export class NumberCell {
  readonly scan = new NumberScanner()
  /** The notation under which the last cell was accepted: POINT or COMMA. */
  notation = 0
  readonly #decision: NumberDecision
  readonly #bit: number

  constructor(decision: NumberDecision) {
    this.#decision = decision
    this.#bit = notationBit(decision.notation)
  }

  get given(): boolean {
    return this.#decision.given
  }

  read(bytes: Uint8Array, start: number, end: number, kind: number): Outcome {
    const { scan } = this
    if (!scan.scan(bytes, start, end)) {
      const isText = kind === CellKind.text
      if (!isText || !scan.scanAmount(bytes, start, end)) return this.#refuse(0)
    }
    if (!this.#decision.given && scan.unit !== this.#decision.unit) return this.#refuse(0)
    if (kind === CellKind.number) {
      this.notation = scan.accepted & POINT
      return this.notation === 0 ? this.#refuse(0) : Outcome.stored
    }
    if (kind !== CellKind.text) return this.#refuse(0)
    const possible = this.#decision.given ? scan.accepted : scan.natural
    // The decimal sign of the column is still undecided, and this cell would decide it.
    if (this.#bit === EITHER && scan.mark !== 0) return this.#refuse(possible)
    const usable = possible & this.#bit
    if (usable === 0) return this.#refuse(possible)
    this.notation = usable === EITHER ? POINT : usable
    return Outcome.stored
  }

  #refuse(possible: number): Outcome {
    const { given, settled } = this.#decision
    return given && (settled || possible === 0) ? Outcome.invalid : Outcome.misfit
  }
}
