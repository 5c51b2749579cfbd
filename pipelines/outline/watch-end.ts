import type { Line } from '../core/table-report.ts'
import {
  areDistinctNames,
  LEAST_ROWS,
  looksLikeItsHeader,
  rowsBelow,
  SURE_ROWS,
  type TableAbove,
} from './another-table.ts'
import { isFigure } from './cell-shape.ts'
import { type Columns, columnsOf, holdsFigures, tellsOfColumns, usedColumns } from './columns.ts'
import { weigh } from './features.ts'
import { MEASURES } from './measures.ts'
import { beginsWithNoteWord } from './note-marks.ts'
import { couldBeName } from './names.ts'
import { asLine, isFilled, saysTheSame, seeRow, type SeenRow } from './seen-row.ts'
import type { LineRange, SheetRow } from './sheet-row.ts'

/** The most that is held back: anything longer than notes is rows. */
interface MostHeld {
  readonly rows: number
  readonly characters: number
}

const MOST_HELD: MostHeld = { rows: 200, characters: 256 * 1024 }
/** New rows are compared with this many of the first rows. */
const MOST_PEERS = 30
const LEAST_PEERS = 2
const SEVERAL_WORDS = /\S\s+\S+\s+\S/

/** How a table ends. */
export interface TableEnd {
  /** Null: no row has come. */
  readonly lastRow: number | null
  readonly notes: readonly Line[]
  /** Of the notes, those that may be rows. */
  readonly doubtful: readonly Line[]
  /** Where other tables are below it. */
  readonly others: readonly LineRange[]
}

/** Of the rows that are held back, what is known about those below one of them. */
interface HeldBelow {
  readonly isAboveNotes: boolean
  /** Each of them, and the row itself, looks like a note rather than like a row. */
  readonly areAllNotes: boolean
}

/** What is known once a row has come, about it and about those held back before it. */
type Verdict = 'rows' | 'held' | 'beyond'

/**
 * Watches the rows of a table and holds back what may turn out to be notes at its end, or another
 * table below. Such rows count as rows as soon as one follows that fits the columns.
 */
export class EndWatch {
  readonly #table: TableAbove
  readonly #peers: readonly SeenRow[]
  readonly #columns: Columns
  readonly #most: MostHeld
  /** Without any, a word alone may be a row whose other cells are blank. */
  readonly figures: readonly number[]
  /** Of the rows between others that fill one cell alone. */
  readonly #loneTexts: ReadonlySet<string>
  #held: SeenRow[] = []
  #heldCharacters = 0
  /** How much the held rows look like rows or, below 0, like notes; and how many rows it covers. */
  #balance = 0
  #weighed = 0
  #isApart = false
  #lastRow: number | null = null
  #other: LineRange | null = null

  /** `header`: its last row. `rows`: those below, as far as they are known. */
  constructor(header: SeenRow, rows: readonly SeenRow[], most = MOST_HELD) {
    const first = ofOneTable(header, rows)
    const used = usedColumns(first)
    this.#table = { header, used }
    this.#peers = first.filter((row) => tellsOfColumns(row, used))
    this.#columns = columnsOf(this.#peers)
    this.figures = used.filter((column) => holdsFigures(this.#columns, column))
    this.#most = most
    const wide = first.findLastIndex(({ filled }) => filled.length > 1)
    const lone = first.slice(0, wide + 1).filter(({ filled }) => filled.length === 1)
    this.#loneTexts = new Set(lone.map(({ filled, texts }) => texts[filled[0]!]!))
  }

  /** The columns that the first rows use. */
  get used(): readonly number[] {
    return this.#table.used
  }

  /** Other names above columns of figures, in a row as wide as the others. It is a row all the same. */
  namesColumnsAnew(row: SheetRow): boolean {
    const seen = seeRow(row, false)
    return (
      areDistinctNames(seen) &&
      this.figures.length > 1 &&
      this.figures.every((column) => couldBeName(seen, column)) &&
      this.#table.used.every((column) => isFilled(seen, column)) &&
      !saysTheSame(seen, this.#table.header) &&
      !this.#repeatsValue(seen)
    )
  }

  /** A text that has stood in its column before names nothing. */
  #repeatsValue({ line, texts }: SeenRow): boolean {
    const above = this.#peers.filter((peer) => peer.line < line)
    return this.#table.used.some((column) => {
      const text = texts[column]!.toLowerCase()
      return above.some((peer) => peer.texts[column]?.toLowerCase() === text)
    })
  }

  /** Takes everything up to this line as rows, without examining it. */
  passTo(line: number | null, isApart: boolean): void {
    this.#lastRow = line
    this.#held = []
    this.#heldCharacters = 0
    this.#balance = 0
    this.#weighed = 0
    this.#isApart = isApart
  }

  /** Another row of the other table below. */
  passBeyond(line: number): void {
    if (this.#other !== null) this.#other = { ...this.#other, lastLine: line }
  }

  take(row: SheetRow): Verdict {
    const seen = seeRow(row, this.#isApart)
    this.#isApart = seen.width === 0
    if (this.#other !== null) {
      if (!this.#isApart) this.passBeyond(row.line)
      return 'beyond'
    }
    if (this.#isApart) return this.#held.length === 0 ? 'rows' : 'held'
    return this.#takeFilled(seen)
  }

  end(): TableEnd {
    const other = this.#other ?? this.#otherTable(LEAST_ROWS)
    const held = this.#held.filter(({ line }) => other === null || line < other.firstLine)
    const notesFrom = this.#notesFrom(held)
    const notes = held.slice(notesFrom)
    return {
      lastRow: held[notesFrom - 1]?.line ?? this.#lastRow,
      notes: notes.map(asLine),
      doubtful: notes.filter((row) => !this.#isSurelyNote(row, notes)).map(asLine),
      others: other === null ? [] : [other],
    }
  }

  #takeFilled(seen: SeenRow): Verdict {
    this.#hold(seen)
    if (this.#headerOfOther() !== null) {
      this.#other = this.#otherTable(this.#isFull() ? LEAST_ROWS : SURE_ROWS)
      if (this.#other !== null) return 'beyond'
    } else if (this.#isSurelyRow(seen) || this.#looksLikeRows()) return this.#release()
    return this.#isFull() ? this.#release() : 'held'
  }

  #hold(seen: SeenRow): void {
    this.#held.push(seen)
    this.#heldCharacters += seen.texts.reduce((sum, text) => sum + text.length, 0)
  }

  /** Computed on demand, since it costs more than everything else and most rows are certainly rows. */
  #looksLikeRows(): boolean {
    for (; this.#weighed < this.#held.length; this.#weighed += 1) {
      this.#balance += this.#balanceOf(this.#held[this.#weighed]!)
    }
    return this.#balance >= 0
  }

  #release(): Verdict {
    this.passTo(this.#held.at(-1)!.line, false)
    return 'rows'
  }

  #isFull(): boolean {
    return this.#held.length >= this.#most.rows || this.#heldCharacters >= this.#most.characters
  }

  /** Never a note: it fills most of the columns, or has figures where figures belong. */
  #isSurelyRow(row: SeenRow): boolean {
    const { filled, shapes } = row
    if (filled.length * 2 > this.#table.used.length && filled.length > 1) return true
    const place = this.#placeOf(row)
    return (
      filled.some((column) => isFigure(shapes[column]!)) &&
      MEASURES.figuresAmongFigures(place) === 1 &&
      MEASURES.namesAboveFigures(place) === 0
    )
  }

  /**
   * It begins like a note; or is one text of several words, longer than any of its column, that a
   * blank row or a line which begins like a note sets apart from the rows.
   */
  #isSurelyNote(row: SeenRow, notes: readonly SeenRow[]): boolean {
    const beginsLikeNote = (one: SeenRow) => MEASURES.isMarkedAsNote(this.#placeOf(one)) > 0
    if (beginsLikeNote(row)) return true
    if (MEASURES.saysOneThing(this.#placeOf(row)) === 0) return false
    const isLong =
      MEASURES.isLongAlone(this.#placeOf(row)) > 0 && SEVERAL_WORDS.test(row.texts[row.filled[0]!]!)
    const isBelowBlank = notes.some(({ isApart, line }) => isApart && line <= row.line)
    return (this.#isMarked(row) || isLong) && (isBelowBlank || notes.some(beginsLikeNote))
  }

  #isMarked(row: SeenRow): boolean {
    const place = this.#placeOf(row)
    return (
      MEASURES.isMarkedAsNote(place) > 0 ||
      (MEASURES.isSentence(place) > 0 && MEASURES.isAmongSentences(place) === 0)
    )
  }

  #placeOf(row: SeenRow) {
    const { used } = this.#table
    const place = { row, above: null, next: null, peers: this.#peers, columns: this.#columns, used }
    return { ...place, hasHeadingsBelow: false }
  }

  #balanceOf(row: SeenRow): number {
    const { row: asRow, note } = weigh(this.#placeOf(row))
    return asRow - note
  }

  /** Where notes begin among the held rows: the longest end of them that is notes in sum. */
  #notesFrom(held: readonly SeenRow[]): number {
    let from = held.length
    let sum = 0
    let least = 0
    let areAllNotes = true
    for (let at = held.length - 1; at >= 0 && !this.#isSurelyRow(held[at]!); at -= 1) {
      const balance = this.#balanceOf(held[at]!)
      sum += balance
      areAllNotes &&= balance < 0
      const isAboveNotes = at + 1 === from && from < held.length
      if (sum < least && this.#canBeginNotes(held[at]!, { isAboveNotes, areAllNotes })) {
        least = sum
        from = at
      }
    }
    return from
  }

  /**
   * Notes stand apart: below a blank row, or as one text of another kind than its column. A line
   * without figures right above notes is one of them.
   */
  #canBeginNotes(row: SeenRow, { isAboveNotes, areAllNotes }: HeldBelow): boolean {
    const place = this.#placeOf(row)
    // One or two rows do not show what their columns hold.
    const isKnown = this.#peers.length >= LEAST_PEERS
    if (this.#couldBeValue(row)) return false
    if (row.isApart) return isKnown || this.#isMarked(row)
    if (MEASURES.saysOneThing(place) === 0) {
      return beginsWithNoteWord(row) && MEASURES.figuresAmongFigures(place) === 0
    }
    if (this.#isLoneAsOthers(row)) return false
    return (
      (isKnown && this.#isAmongFigures(row) && MEASURES.namesAboveFigures(place) > 0) ||
      (isKnown && (areAllNotes || this.figures.length > 0) && MEASURES.isLongAlone(place) > 0) ||
      MEASURES.isMarkedAsNote(place) > 0 ||
      (isAboveNotes && MEASURES.namesGroup(place) > 0)
    )
  }

  /** Its column holds several, and not symbols for missing values alone, which say nothing of words. */
  #isAmongFigures({ filled }: SeenRow): boolean {
    return (this.#columns.figures[filled[0]!] ?? 0) > 1
  }

  /** One text in the first column, where rows between others are like that, and it does not look like a note. */
  #isLoneAsOthers(row: SeenRow): boolean {
    if (this.#loneTexts.has(row.texts[row.filled[0]!]!)) return true
    return this.#loneTexts.size > 0 && !this.#isMarked(row)
  }

  /**
   * One text that comes again in its column, or is like others of it in a place where notes do not
   * occur: in the only column, or not in the first one.
   */
  #couldBeValue(row: SeenRow): boolean {
    const { used } = this.#table
    const place = this.#placeOf(row)
    if (row.filled.length === 1 && MEASURES.comesAgain(place) > 0) return true
    const isElsewhere = used.length === 1 || row.filled[0] !== used[0]
    return (
      row.filled.length === 1 &&
      isElsewhere &&
      used.includes(row.filled[0]!) &&
      (MEASURES.isMarkedAsNote(place) === 0 || !/\s/.test(row.texts[row.filled[0]!]!)) &&
      MEASURES.isLongerThanColumn(place) === 0
    )
  }

  #headerOfOther(): number | null {
    if (this.#lastRow === null) return null
    const at = this.#held.findIndex((row, index) =>
      looksLikeItsHeader(row, this.#held[index - 1], this.#table),
    )
    return at === -1 || rowsBelow(this.#held[at]!, this.#held.slice(at + 1)) === null ? null : at
  }

  #otherTable(leastRows: number): LineRange | null {
    const at = this.#headerOfOther()
    if (at === null) return null
    const header = this.#held[at]!
    const rows = rowsBelow(header, this.#held.slice(at + 1)) ?? 0
    return rows < leastRows ? null : { firstLine: header.line, lastLine: this.#held.at(-1)!.line }
  }
}

/** `header`: its rows, if any. `body`: those below, as far as they are known. */
export function watchBelow(header: readonly SeenRow[], body: readonly SeenRow[]): EndWatch {
  return new EndWatch(header.at(-1) ?? blankRow(body[0]), body)
}

function blankRow(row: SeenRow | undefined): SeenRow {
  return seeRow({ line: 0, cells: (row?.cells ?? []).map(() => '') }, false)
}

/** The first rows, up to where another table may begin, which says nothing about this one. */
function ofOneTable(header: SeenRow, rows: readonly SeenRow[]): readonly SeenRow[] {
  const first = rows.slice(0, MOST_PEERS)
  const end = first.findIndex((row, at) => {
    const table = {
      header,
      get used() {
        return usedColumns(first.slice(0, at))
      },
    }
    return at > 0 && looksLikeItsHeader(row, first[at - 1], table)
  })
  return end === -1 ? first : first.slice(0, end)
}
