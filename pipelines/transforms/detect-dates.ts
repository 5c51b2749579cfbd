import { CellKind } from '../core/batch.ts'
import type { UiDateFormat } from '../core/options.ts'
import { LAYOUTS, layoutsShownAs, type DateLayout, type LayoutName } from '../dates/formats.ts'
import { isZeroNumber, isZeroText, placeholderRule } from '../dates/placeholders.ts'
import { DateScanner } from '../dates/scan-date.ts'
import type { ZoneClock } from '../dates/zone-clock.ts'
import { Outcome } from '../cells/outcome.ts'

/** A layout is kept when at least 80 % of the values accept it. */
const KEPT_FROM = { accepted: 4, of: 5 }
const ANY_LAYOUT = (1 << LAYOUTS.length) - 1
const MIRRORED = { dmy: 'mdy', mdy: 'dmy', ymd: null } as const

export interface BestLayout {
  readonly layout: DateLayout & { readonly name: LayoutName }
  readonly index: number
  readonly accepted: number
  /** With day and month the other way round, just as many could be read. */
  readonly ambiguous: boolean
}

/** How often each layout accepted the cells of one column, with and without a time together. */
export class DateTally {
  /** Real dates that carry a time. */
  timed = 0
  placeholderCount = 0
  readonly #scan = new DateScanner()
  readonly #zone: ZoneClock
  readonly #usual: UiDateFormat | undefined
  /** Cells by the set of layouts that accept them. */
  readonly #cells = new Map<number, number>()
  /** Cells that are placeholders for no date, by rule. */
  readonly #placeholders = new Map<Outcome, number>()

  /** `usual` decides where several layouts accept as many. */
  constructor(zone: ZoneClock, usual?: UiDateFormat) {
    this.#zone = zone
    this.#usual = usual
  }

  get placeholders(): ReadonlyMap<Outcome, number> {
    return this.#placeholders
  }

  /** Counts a cell; the layouts that accept it, as bits, or every one for a placeholder. */
  observe(bytes: Uint8Array, start: number, end: number, kind: number): number {
    const isTyped = kind === CellKind.date || kind === CellKind.exactDate
    const scanned = isTyped || kind === CellKind.text
    const layouts = scanned ? this.#scan.scan(bytes, start, end) : 0
    const rule = this.#rule(bytes, start, end, kind, layouts)
    if (rule !== Outcome.stored) {
      this.placeholderCount += 1
      this.#placeholders.set(rule, (this.#placeholders.get(rule) ?? 0) + 1)
      return ANY_LAYOUT
    }
    if (layouts === 0) return 0
    if (this.#scan.hasTime) this.timed += 1
    // Canonical text is read as such whatever the column's format, so every layout agrees with it.
    const accepted = isTyped ? ANY_LAYOUT : layouts
    this.#cells.set(accepted, (this.#cells.get(accepted) ?? 0) + 1)
    return accepted
  }

  accepted(layouts: number): number {
    let sum = 0
    for (const [cells, count] of this.#cells) if ((cells & layouts) !== 0) sum += count
    return sum
  }

  /**
   * The layout that accepts most. Where several do, one that is usual for the column; else the first:
   * the order of the layouts puts day before month.
   */
  best(): BestLayout | null {
    const counts = LAYOUTS.map((_, at) => this.accepted(1 << at))
    const accepted = Math.max(...counts)
    if (accepted === 0) return null
    const most = LAYOUTS.map((_, at) => at).filter((at) => counts[at] === accepted)
    const index = most.find((at) => LAYOUTS[at]!.shownAs === this.#usual) ?? most[0]!
    const layout = LAYOUTS[index]!
    return { layout, index, accepted, ambiguous: this.#mirrorAccepted(layout) === accepted }
  }

  /** Dates that only a layout other than those shown as `format` can read. */
  fallbackParsed(format: UiDateFormat): number {
    return this.accepted(ANY_LAYOUT) - this.accepted(layoutsShownAs(format))
  }

  #rule(bytes: Uint8Array, start: number, end: number, kind: number, layouts: number): Outcome {
    if (layouts === 0) return zeroRule(bytes, start, end, kind)
    return kind === CellKind.exactDate ? Outcome.stored : this.#placeholderRule(layouts)
  }

  #placeholderRule(layouts: number): Outcome {
    const scan = this.#scan
    const day = scan.dayNumber(31 - Math.clz32(layouts & -layouts))
    const offset = scan.hasZone ? scan.zoneOffset : this.#zone.offsetAt(day, scan.secondOfDay)
    return placeholderRule(scan, day * 86_400 + scan.secondOfDay - offset)
  }

  #mirrorAccepted(layout: DateLayout): number {
    const mirror = LAYOUTS.findIndex(
      ({ order, separator, yearDigits }: DateLayout) =>
        order === MIRRORED[layout.order] &&
        separator === layout.separator &&
        yearDigits === layout.yearDigits,
    )
    return mirror < 0 ? -1 : this.accepted(1 << mirror)
  }
}

export function isKept(accepted: number, of: number): boolean {
  return of > 0 && accepted * KEPT_FROM.of >= of * KEPT_FROM.accepted
}

function zeroRule(bytes: Uint8Array, start: number, end: number, kind: number): Outcome {
  const isZero = kind === CellKind.number ? isZeroNumber : isZeroText
  return kind <= CellKind.number && isZero(bytes, start, end) ? Outcome.zero : Outcome.stored
}
