import { CellKind, type Batch } from '../core/batch.ts'
import type { ColumnEvidence, CounterExample, TypeCandidate } from '../core/report.ts'
import { LAYOUTS } from '../dates/formats.ts'
import { Outcome, namedNulls } from '../cells/outcome.ts'
import { NumberTally, type NotationVerdict } from '../numbers/number-tally.ts'
import { COMMA, POINT } from '../numbers/scan-number.ts'
import { ShownDigits, saysMoreThanNumber } from '../cells/shown-digits.ts'
import {
  booleanSign,
  booleanWord,
  isCross,
  NOT_A_WORD,
  isNullText,
  isWellKnownNull,
} from '../cells/known-words.ts'
import { TEXT, type ColumnDecision, type DateDecision } from '../encoders/column-decision.ts'
import { counterExample, type PlaceOf } from '../cells/cell-messages.ts'
import { ANY_WAY, DateTally, isKept, mayBeOfPattern, PatternTally } from './detect-dates.ts'
import type { HeldType, ValueContext } from './value-context.ts'
import { skipSpace, skipSpaceBack } from '../cells/white-space.ts'

export interface DetectedColumn {
  readonly decision: ColumnDecision
  readonly evidence: ColumnEvidence
}

/**
 * Indexes of the first cell that each candidate did not accept; one for every way to write a date.
 */
const MISS = { point: 0, comma: 1, boolean: 2, json: 3, dates: 4 } as const

/**
 * Decides the type of a column from the cells of a sample or of the whole input. Every type remains
 * a candidate until `decide` is called, which may happen more than once.
 */
export class TypeDetector {
  readonly #context: ValueContext
  readonly #given: HeldType | null
  readonly #placeOf: PlaceOf | undefined
  readonly #numbers: NumberTally
  readonly #dates: DateTally
  /** Null if no pattern is to be proposed. */
  readonly #patterns: PatternTally | null
  #booleans = 0
  #crosses = 0
  #jsons = 0
  /** Numbers shown with fixed digits, and the first for which these are more than its number. */
  #shown = 0
  #moreThanNumber: CounterExample | null = null
  readonly #digits = new ShownDigits()
  #firstRounded: CounterExample | null = null
  /** Cells with content: neither blank, nor a text for NULL. */
  #filled = 0
  readonly #nulls = new Map<Outcome, number>()
  readonly #misses: (CounterExample | undefined)[] = []
  /** Ways to write a date that some cell did not follow, as bits. */
  #missedWays = 0

  constructor(context: ValueContext, given: HeldType | null, placeOf?: PlaceOf) {
    this.#context = context
    this.#given = given
    this.#placeOf = placeOf
    this.#numbers = new NumberTally(given?.type === 'number')
    this.#dates = new DateTally(context, given ?? {})
    const mayBePattern = given === null || (given.type === 'date' && given.pattern === undefined)
    this.#patterns = mayBePattern ? new PatternTally() : null
  }

  /** Adds the column's cells of rows of one batch; there are none if the batch is older than the column. */
  observe(batch: Batch, column: number, from = 0, to = batch.rows): void {
    if (column >= batch.width) return
    for (let row = from; row < to; row++) this.#observeCell(batch, row, column)
  }

  decide(): DetectedColumn {
    const given = this.#given
    const decision = given === null ? this.#detect() : this.#heldTo(given)
    return { decision, evidence: this.#evidence(decision) }
  }

  #observeCell(batch: Batch, row: number, column: number): void {
    const cell = row * batch.width + column
    const stop = batch.end[cell]!
    let { bytes } = batch
    let start = skipSpace(bytes, batch.start[cell]!, stop)
    if (start >= stop) return this.#countNull(Outcome.blank)
    let end = skipSpaceBack(bytes, start, stop)
    if (this.#context.nullValues.has(bytes, start, end)) return this.#countNull(Outcome.nullValue)
    let kind: number = batch.kinds?.[cell] ?? CellKind.text
    if (isNullText(bytes, start, end)) return this.#countNull(Outcome.nullText)
    this.#filled += 1
    const missed = (miss: number): void => {
      this.#misses[miss] ??= counterExample(batch, row, column, this.#placeOf)
    }
    if (kind === CellKind.shownDigits) {
      this.#shown += 1
      if (this.#moreThanNumber === null && saysMoreThanNumber(bytes, start, end)) {
        this.#moreThanNumber = counterExample(batch, row, column, this.#placeOf)
      }
      this.#digits.take(bytes, start, end)
      ;[bytes, start, end, kind] = [this.#digits.bytes, 0, this.#digits.length, CellKind.number]
    }
    this.#observeDate(bytes, start, end, kind, missed)
    if (kind === CellKind.text && isWellKnownNull(bytes, start, end)) {
      return this.#countNull(Outcome.wellKnown)
    }
    const notations = this.#numbers.observe(bytes, start, end, kind)
    if (this.#firstRounded === null && this.#numbers.rounded > 0) {
      this.#firstRounded = counterExample(batch, row, column, this.#placeOf)
    }
    if ((notations & POINT) === 0) missed(MISS.point)
    if ((notations & COMMA) === 0) missed(MISS.comma)
    if (isCross(bytes, start, end)) this.#crosses += 1
    if (this.#isBoolean(bytes, start, end, kind)) this.#booleans += 1
    else missed(MISS.boolean)
    if (kind === CellKind.json) this.#jsons += 1
    else missed(MISS.json)
  }

  #observeDate(
    bytes: Uint8Array,
    start: number,
    end: number,
    kind: number,
    missed: (miss: number) => void,
  ): void {
    const ways = this.#dates.observe(bytes, start, end, kind)
    const newlyMissed = ANY_WAY & ~ways & ~this.#missedWays
    this.#missedWays |= newlyMissed
    for (let way = 0; newlyMissed >>> way !== 0; way++) {
      if ((newlyMissed & (1 << way)) !== 0) missed(MISS.dates + way)
    }
    if (mayBeOfPattern(ways)) this.#patterns?.observe(bytes, start, end, kind)
  }

  #isBoolean(bytes: Uint8Array, start: number, end: number, kind: number): boolean {
    if (kind > CellKind.boolean) return false
    if (booleanWord(bytes, start, end) !== NOT_A_WORD) return true
    return this.#given?.type === 'boolean' && booleanSign(bytes, start, end) !== NOT_A_WORD
  }

  #countNull(rule: Outcome): void {
    this.#nulls.set(rule, (this.#nulls.get(rule) ?? 0) + 1)
  }

  /** Cells that count for types other than date, which has its own placeholders. */
  get #telling(): number {
    return this.#filled - (this.#nulls.get(Outcome.wellKnown) ?? 0)
  }

  /**
   * All values are numbers shown with fixed digits, some with more than the number: they become
   * text as shown.
   */
  get #isAsShown(): boolean {
    return this.#given === null && this.#shown === this.#telling && this.#moreThanNumber !== null
  }

  /** Identifiers that a spreadsheet has rounded: most of them, and of the others hardly one is short. */
  get #areRounded(): boolean {
    const { rounded, long } = this.#numbers
    return rounded * 2 > this.#telling && isKept(rounded + long, this.#telling)
  }

  get #areBoxes(): boolean {
    return this.#crosses > 0 && this.#crosses === this.#telling
  }

  #verdict(): NotationVerdict {
    return this.#numbers.verdict(this.#context)
  }

  #detect(): ColumnDecision {
    const all = this.#telling
    if (all > 0) {
      if (this.#isAsShown) return TEXT
      if (this.#verdict().accepted === all) return this.#number(false)
      if (this.#booleans === all) return { type: 'boolean', sqlType: 'boolean', given: false }
      if (this.#jsons === all) return { type: 'json', sqlType: 'jsonb', given: false }
    }
    const best = this.#dates.best()
    const kept = best !== null && isKept(best.accepted, this.#filled - this.#dates.placeholderCount)
    return kept ? this.#date(false) : TEXT
  }

  #heldTo({ type, dateFormat, pattern }: HeldType): ColumnDecision {
    switch (type) {
      case 'text':
        return { ...TEXT, given: true }
      case 'number':
        return this.#number(true)
      case 'date':
        return {
          ...this.#date(true),
          ...(dateFormat !== undefined && { dateFormat, layout: null }),
          ...(pattern !== undefined && { pattern }),
        }
      case 'boolean':
        return { type, sqlType: 'boolean', given: true, areBoxes: this.#areBoxes }
      case 'json':
        return { type, sqlType: 'jsonb', given: true }
    }
  }

  #number(given: boolean): ColumnDecision {
    const { accepted, integers, notation, settled, unit } = this.#verdict()
    // If there was no number, the table keeps its narrow type.
    const { statedAs, sqlType: before } = this.#given ?? {}
    const narrow = accepted > 0 ? integers : before === 'bigint'
    const fitsBigint = statedAs === undefined ? narrow : statedAs === 'bigint'
    return {
      type: 'number',
      sqlType: fitsBigint ? 'bigint' : 'numeric',
      given,
      notation,
      settled,
      unit,
      ...(!given && this.#shown > 0 && this.#shown === this.#telling && { keepsShown: true }),
    }
  }

  #date(given: boolean): DateDecision {
    const layout = this.#dates.best()?.layout
    const dateFormat = layout?.shownAs ?? 'YYYY-MM-DD'
    const hasTimes = this.#dates.timed > 0 || this.#given?.statedAs === 'timestamptz'
    const sqlType = hasTimes ? 'timestamptz' : 'date'
    return { type: 'date', sqlType, given, dateFormat, layout: layout?.name ?? null }
  }

  #evidence(decision: ColumnDecision): ColumnEvidence {
    const isDate = decision.type === 'date'
    const best = this.#dates.best()
    const isNamed = isDate && (decision.layout === null || decision.pattern !== undefined)
    const unsureOfDay = isDate && !isNamed && best !== null && best.ambiguous
    const unsureOfSign = decision.type === 'number' && this.#verdict().ambiguous
    const sampled = isDate
      ? this.#filled - this.#dates.placeholderCount
      : decision.type === 'text'
        ? this.#filled
        : this.#telling
    const { candidates, miss } = this.#candidates(decision, sampled)
    const fittingPattern = this.#fittingPattern(decision, sampled, unsureOfDay)
    return {
      sampled,
      candidates,
      nulls: namedNulls(decision.type, this.#nulls, this.#dates.placeholders),
      fallbackParsed: isDate ? this.#dates.fallbackParsed(decision.dateFormat) : 0,
      counterExample: this.#misses[miss] ?? null,
      ...(fittingPattern !== null && { fittingPattern }),
      ...(decision.type === 'number' && this.#units(decision.unit)),
      ...(this.#isAsShown && { asShown: this.#moreThanNumber! }),
      ...(this.#areRounded && { rounded: this.#firstRounded! }),
      ambiguous: unsureOfDay || unsureOfSign,
    }
  }

  /** Of a column of dates only a pattern that reads more of them, or as many where it is in doubt. */
  #fittingPattern(decision: ColumnDecision, sampled: number, isUnsure: boolean): string | null {
    if (decision.type !== 'date') return this.#patterns?.fitting(sampled, 0) ?? null
    const own = this.#dates.acceptedAs(decision.dateFormat)
    return this.#patterns?.fitting(sampled, isUnsure ? own : own + 1) ?? null
  }

  #units(unit: string): Pick<ColumnEvidence, 'unit' | 'mixedUnits'> {
    const { mixedUnits } = this.#verdict()
    return { ...(unit !== '' && { unit }), ...(mixedUnits.length > 0 && { mixedUnits }) }
  }

  /**
   * The types that accepted something, best first, and the index of the first miss of the winner.
   */
  #candidates(
    decision: ColumnDecision,
    sampled: number,
  ): { candidates: TypeCandidate[]; miss: number } {
    const { notation, accepted } = this.#verdict()
    const signMiss = notation === 'comma-decimal' ? MISS.comma : MISS.point
    const all = [
      { type: 'number', format: notation, accepted, miss: signMiss },
      { type: 'boolean', format: undefined, accepted: this.#booleans, miss: MISS.boolean },
      { type: 'json', format: undefined, accepted: this.#jsons, miss: MISS.json },
      ...LAYOUTS.map((layout, at) => ({
        type: 'date',
        format: layout.name,
        accepted: this.#dates.accepted(1 << at),
        miss: MISS.dates + at,
      })),
      {
        type: 'date',
        format: this.#given?.pattern,
        accepted: this.#dates.acceptedByPattern,
        miss: MISS.dates + LAYOUTS.length,
      },
    ]
      .filter((candidate) => candidate.accepted > 0)
      .toSorted((a, b) => b.accepted - a.accepted)
    const own = all.find(({ type }) => decision.type === 'text' || type === decision.type)
    const candidates = all.map(({ type, format, accepted: count }): TypeCandidate => ({
      type,
      ...(format === undefined ? {} : { format }),
      accepted: count,
    }))
    if (sampled > 0) candidates.push({ type: 'text', accepted: sampled })
    return { candidates, miss: own?.miss ?? -1 }
  }
}
