import { looksLikeItsHeader, rowsBelow, SURE_ROWS } from './another-table.ts'
import { type Columns, columnsOf, holdsFigures, usedColumns } from './columns.ts'
import { weigh } from './features.ts'
import { MEASURES, type RowInPlace } from './measures.ts'
import { asLine, isFilled, seeRow, type SeenRow } from './seen-row.ts'
import type { Line, LineRange, SheetRow } from './sheet-row.ts'

/** No more is held back than so much; what is longer than any notes are rows. */
export interface HeldBack {
  readonly rows: number
  readonly characters: number
}

const HELD_BACK: HeldBack = { rows: 200, characters: 256 * 1024 }
/** What comes is compared with so many rows. */
const MOST_PEERS = 30

/** How a table ends. */
export interface TableEnd {
  /** Null: no row has come. */
  readonly lastRow: number | null
  readonly notes: readonly Line[]
  /** Where other tables stand below, from their first line on. */
  readonly others: readonly LineRange[]
}

/** What is known once a row has come: of this row and of those held back before it. */
export type Verdict = 'rows' | 'held' | 'beyond'

/**
 * Watches the rows of a table go by, and holds back what may turn out to be notes at its end, or
 * another table below: such rows are rows as soon as one follows that goes with the columns.
 */
export class EndWatch {
  readonly #peers: readonly SeenRow[]
  readonly #columns: Columns
  readonly #used: readonly number[]
  readonly #most: HeldBack
  #held: SeenRow[] = []
  #heldCharacters = 0
  /** How much what is held looks like rows; below 0, like notes. */
  #balance = 0
  #isApart = false
  #lastRow: number | null = null
  #other: LineRange | null = null

  /** `rows`: those from the first one on, as far as they are known. */
  constructor(rows: readonly SeenRow[], most = HELD_BACK) {
    const first = firstRows(rows)
    this.#used = usedColumns(first)
    this.#peers = first.filter(({ filled }) => filled.length > 1 || this.#used.length === 1)
    this.#columns = columnsOf(this.#peers)
    this.#most = most
  }

  take(row: SheetRow): Verdict {
    const seen = seeRow(row, this.#isApart)
    this.#isApart = seen.filled.length === 0
    if (this.#other !== null) {
      if (!this.#isApart) this.#other = { ...this.#other, lastLine: row.line }
      return 'beyond'
    }
    if (this.#isApart) return this.#held.length === 0 ? 'rows' : 'held'
    return this.#takeFilled(seen)
  }

  end(): TableEnd {
    const other = this.#other ?? this.#otherFrom(1)
    const held = other === null ? this.#held : this.#held.filter(({ line }) => line < other.firstLine)
    const notesFrom = this.#notesFrom(held)
    const lastRow = held[notesFrom - 1]?.line ?? this.#lastRow
    const notes = held.slice(notesFrom).map(asLine)
    return { lastRow, notes, others: other === null ? [] : [other] }
  }

  #takeFilled(seen: SeenRow): Verdict {
    this.#held.push(seen)
    this.#heldCharacters += seen.texts.reduce((sum, text) => sum + text.length, 0)
    this.#balance += this.#balanceOf(seen)
    const header = this.#otherHeader()
    if (header === null) {
      if (this.#balance >= 0 || this.#isSure(seen) || this.#isFull()) return this.#release()
      return 'held'
    }
    this.#other = this.#otherFrom(this.#isFull() ? 1 : SURE_ROWS)
    if (this.#other !== null) return 'beyond'
    return this.#isFull() ? this.#release() : 'held'
  }

  #release(): Verdict {
    this.#lastRow = this.#held.at(-1)!.line
    this.#held = []
    this.#heldCharacters = 0
    this.#balance = 0
    return 'rows'
  }

  #isFull(): boolean {
    return this.#held.length >= this.#most.rows || this.#heldCharacters >= this.#most.characters
  }

  #placeOf(row: SeenRow, next: SeenRow | null = null): RowInPlace {
    return { row, next, peers: this.#peers, columns: this.#columns, used: this.#used }
  }

  #balanceOf(row: SeenRow): number {
    const place = this.#placeOf(row)
    return weigh(place, 'row') - weigh(place, 'note')
  }

  /** Every column is filled, or several figures stand where figures belong: a row of the table. */
  #isSure(row: SeenRow): boolean {
    const place = this.#placeOf(row)
    if (MEASURES.namesAboveFigures(place) > 0) return false
    const figures = row.filled.filter((column) => holdsFigures(this.#columns, column))
    return (
      (figures.length > 1 && MEASURES.figuresAmongFigures(place) === 1) ||
      this.#used.every((column) => isFilled(row, column))
    )
  }

  /** Where notes begin among the rows held back: as many of the last as are notes in sum. */
  #notesFrom(held: readonly SeenRow[]): number {
    let from = held.length
    let sum = 0
    let least = 0
    for (let at = held.length - 1; at >= 0; at -= 1) {
      sum += this.#balanceOf(held[at]!)
      if (sum < least && this.#canBeginNotes(held[at]!, at + 1 === from)) {
        least = sum
        from = at
      }
    }
    return from
  }

  /**
   * Notes stand apart: by a blank row above, or by a text of another kind than its column. A line
   * without figures right above them is one of them.
   */
  #canBeginNotes(row: SeenRow, isAboveNotes: boolean): boolean {
    const place = this.#placeOf(row)
    if (row.isApart) return true
    if (MEASURES.isMarkedAsNote(place) > 0 && MEASURES.figuresAmongFigures(place) === 0) return true
    if (MEASURES.isAlone(place) === 0) return false
    return (
      MEASURES.namesAboveFigures(place) > 0 ||
      MEASURES.isLongAlone(place) > 0 ||
      (isAboveNotes && MEASURES.namesGroup(place) > 0)
    )
  }

  #otherHeader(): number | null {
    const at = this.#held.findIndex((row, index) =>
      looksLikeItsHeader(row, this.#held[index - 1], this.#used),
    )
    if (at === -1 || rowsBelow(this.#held[at]!, this.#held.slice(at + 1)) === null) return null
    return at
  }

  #otherFrom(leastRows: number): LineRange | null {
    const at = this.#otherHeader()
    if (at === null) return null
    const rows = rowsBelow(this.#held[at]!, this.#held.slice(at + 1)) ?? 0
    if (rows < leastRows) return null
    return { firstLine: this.#held[at]!.line, lastLine: this.#held.at(-1)!.line }
  }
}

/** Those of another table say nothing of this one. */
function firstRows(rows: readonly SeenRow[]): readonly SeenRow[] {
  const end = rows.findIndex(
    (row, at) => at > 0 && looksLikeItsHeader(row, rows[at - 1], usedColumns(rows.slice(0, at))),
  )
  return rows.slice(0, end === -1 ? MOST_PEERS : Math.min(end, MOST_PEERS))
}
