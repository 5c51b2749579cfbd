import { CellKind } from '../core/batch.ts'
import { Outcome } from '../cells/outcome.ts'
import type { DatePattern } from './date-pattern.ts'
import { DateParser, type DateParsing } from './parse-date.ts'

/**
 * Reads dates by a pattern first, including numbers such as `20240131`. Other texts are tried with
 * the layouts, and then count as read in another format.
 */
export class PatternParser extends DateParser {
  readonly #pattern: DatePattern

  constructor(parsing: DateParsing, pattern: DatePattern) {
    super(parsing)
    this.#pattern = pattern
  }

  override parse(bytes: Uint8Array, start: number, end: number, kind: number): Outcome {
    const pattern = this.#pattern
    const mayFit = kind === CellKind.text || kind === CellKind.number
    if (mayFit && pattern.read(bytes, start, end))
      return this.take(pattern, pattern.dayNumber, kind)
    const outcome = super.parse(bytes, start, end, kind)
    return outcome === Outcome.stored && kind === CellKind.text ? Outcome.fallbackParsed : outcome
  }
}
