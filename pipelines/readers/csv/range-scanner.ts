import { type Dialect, spacesOf } from './dialect.ts'
import type { RowMemory, FinishedRows, RowTable } from './row-table.ts'
import { rangesAroundStrayQuotes } from './stray-quotes.ts'

const LF = 10
const CR = 13

const ORDINARY = 0
const DELIMITER = 1
const LINE_FEED = 2
const CARRIAGE_RETURN = 3
const QUOTE = 4

const AT_FIELD = 0
const IN_BARE = 1
const IN_QUOTED = 2
const AFTER_QUOTED = 3
const AFTER_RETURN = 4

const NO_BYTE = -1
/** So much of a buffer is left for values that differ from what stands in the file. */
const VALUE_SHARE = 1 / 8

/**
 * Finds where the cells of delimited text begin and end.
 *
 * **What it works on.** One buffer, filled from the front by `RangeRows`. Nothing is copied and nothing is
 * made for a cell: `RowTable` is told two numbers. A cell whose value differs from what stands in the file
 * (a doubled quote, text after the closing quote) is noted as it stands, quotes included; its value is
 * written behind the input when the rows are taken, so that a row can still be shown as it was written.
 *
 * **How it goes.** Five modes: before a field, in a bare one, in a quoted one, behind its closing quote in
 * text that does not belong there, and after a carriage return that may be half of CRLF. A table of 256
 * kinds makes one look-up of each byte, and the byte at `filled` is always a line feed, so that the inner
 * loops, in which nearly all bytes are passed, compare nothing with the end. Whoever finds a line feed asks
 * whether it is that one.
 *
 * **Where it stops.** The input may be cut at any byte: inside a character, between two quotes, between CR
 * and LF. Where the next byte would decide, it stops before the byte that has to be seen again, and goes
 * on in the same mode when there is more; `last` says that there never will be. The suite of readers feeds
 * it one byte at a time. `maxRows` stops it too, since a batch has to end somewhere.
 *
 * **What is strange and what is broken.** A quote inside a bare field and text behind a closing quote are
 * taken literally and counted (`repaired`); where they leave a row with more or fewer fields than the table
 * has columns, the row is split again, so that it has as many (`stray-quotes.ts`). A quote that is never closed is broken: only `RangeRows` knows
 * that the input or the length of a cell is over, and calls `giveUpRow`, which ends the row at the end of the line
 * on which its open field began. Everything behind is scanned anew, once: all quotes in there were in pairs.
 *
 * **What must stay true.** `at` never passes `filled`. A mode other than `AT_FIELD` has a `fieldStart`. A
 * row is told of only when its line break was seen or the input is over. `breaks` are those of the open row,
 * so that every row knows its line. The property tests hold the scanner against csv-parse over texts made
 * of the bytes that matter (`test/pipelines/readers/csv/agreement.test.ts`): change a loop, run them.
 *
 * **Why it is written like this.** Its loops are where most bytes of a load are looked at (where the time
 * of a load goes is in docs/adr/0017). They use locals in the place of fields, have one exit each and call
 * nothing, so that what they need stays in registers. Before making them cleverer, measure:
 * `npm run bench -- csv`, in turns with what was there before.
 */
export class RangeScanner {
  readonly table: RowTable
  bytes: Buffer
  /** Bytes of the buffer that hold input; there is always room for one more behind them. */
  filled = 0
  /** Fields in which a quote, or text after a closing quote, was taken literally. */
  repaired = 0
  /** Quoted fields with white space around them that belongs to the delimiter. */
  spaced = 0
  /** Line breaks of the open row so far, all of them inside quotes. */
  breaks = 0
  /** ... and those before its open field. */
  breaksBeforeField = 0
  /** Where the open field begins, its opening quote included. */
  fieldStart = 0

  readonly #dialect: Dialect
  readonly #kind = new Uint8Array(256)
  readonly #quote: number
  /** Bytes of white space that may stand around a quoted field; empty in nearly all files. */
  readonly #spaces: readonly number[]
  readonly #isPadded: boolean
  /** Where input may not go any further. */
  #limit: number
  #at = 0
  #mode = AT_FIELD
  /** The open field holds more than its value: doubled quotes, text after the closing one. */
  #isRaw = false
  #isRepaired = false
  /** `repaired` at the end of the row above. */
  #repairedBefore = 0
  /** White space stands around the open field, which is quoted. */
  #isSpaced = false

  constructor(dialect: Dialect, table: RowTable, bufferBytes: number) {
    this.table = table
    this.#dialect = dialect
    this.#limit = bufferBytes
    this.bytes = Buffer.allocUnsafeSlow(bufferSize(bufferBytes))
    this.#kind[LF] = LINE_FEED
    this.#kind[CR] = CARRIAGE_RETURN
    if (dialect.delimiter !== null) this.#kind[dialect.delimiter.charCodeAt(0)] = DELIMITER
    this.#quote = dialect.quote === null ? NO_BYTE : dialect.quote.charCodeAt(0)
    if (this.#quote !== NO_BYTE) this.#kind[this.#quote] = QUOTE
    this.#isPadded = dialect.isPadded === true
    this.#spaces = spacesOf(dialect).map((space) => space.charCodeAt(0))
  }

  get space(): number {
    return this.#limit - this.filled
  }

  get isInsideQuotes(): boolean {
    return this.#mode === IN_QUOTED
  }

  /** Scans what was filled in, up to `maxRows` rows in the table. `last`: nothing will follow. */
  scan(last: boolean, maxRows: number): void {
    const { bytes, filled, table } = this
    const kind = this.#kind
    const quote = this.#quote
    let at = this.#at
    let mode = this.#mode
    let fieldStart = this.fieldStart
    // Stops every inner loop at the end, without a second comparison for each byte.
    bytes[filled] = LF

    while (table.rows < maxRows) {
      if (mode === AT_FIELD) {
        if (at === filled && !(last && table.openRow < filled)) break
        if (this.#spaces.length > 0) {
          const opening = this.#behindSpaces(at)
          if (opening === filled && !last) break
          if (opening > at && opening < filled && bytes[opening] === quote) {
            this.#isSpaced = true
            at = opening
          } else if (this.#isPadded && table.fields > 0) at = opening
        }
        fieldStart = at
        this.breaksBeforeField = this.breaks
        mode = bytes[at] === quote && at < filled ? IN_QUOTED : IN_BARE
        if (mode === IN_QUOTED) at++
      }

      if (mode === IN_BARE) {
        while (kind[bytes[at]!] === ORDINARY) at++
        if (kind[bytes[at]!] === QUOTE && at < filled) {
          this.#isRepaired = true
          at++
          continue
        }
        if (at === filled && !last) break
        if (this.#isRepaired) this.#countRepair()
        table.addCell(bytes, fieldStart, at)
      } else if (mode === IN_QUOTED) {
        at = this.#toClosingQuote(at, last)
        if (at === filled || (at + 1 === filled && !last)) break
        const behind = this.#behindSpaces(at + 1)
        if (behind === filled && !last) break
        at++
        let next = at === filled ? LINE_FEED : kind[bytes[at]!]!
        const quotedEnd = at
        if (behind > at) {
          const ending = behind === filled ? LINE_FEED : kind[bytes[behind]!]!
          if (ending !== ORDINARY && ending !== QUOTE) {
            this.#isSpaced = true
            next = ending
            at = behind
          }
        }
        if (next === ORDINARY || next === QUOTE) {
          this.#isRepaired = true
          this.#isRaw = true
          mode = AFTER_QUOTED
          continue
        }
        this.#endQuotedCell(fieldStart, quotedEnd)
      } else if (mode === AFTER_QUOTED) {
        while (kind[bytes[at]!] === ORDINARY || (kind[bytes[at]!] === QUOTE && at < filled)) at++
        if (at === filled && !last) break
        this.#countRepair()
        this.#endQuotedCell(fieldStart, at)
      } else {
        // A carriage return was the last byte there was.
        if (at === filled && !last) break
        if (at < filled && bytes[at] === LF) at++
        this.#endRow(at)
        mode = AT_FIELD
        continue
      }

      mode = AT_FIELD
      const ending = at === filled ? LINE_FEED : kind[bytes[at]!]!
      if (at < filled) at++
      if (ending === LINE_FEED) this.#endRow(at)
      else if (ending === CARRIAGE_RETURN) mode = AFTER_RETURN
    }

    this.#at = at
    this.#mode = mode
    this.fieldStart = mode === AT_FIELD ? at : fieldStart
  }

  /** Position of the quote that ends the field, or of the first byte that must be looked at again. */
  #toClosingQuote(from: number, last: boolean): number {
    const { bytes, filled } = this
    const kind = this.#kind
    const quote = this.#quote
    let at = from
    for (;;) {
      const byteKind = kind[bytes[at]!]!
      if (byteKind <= DELIMITER) {
        at++
      } else if (at === filled) {
        return at
      } else if (byteKind === QUOTE) {
        if (at + 1 === filled && !last) return at
        if (at + 1 === filled || bytes[at + 1] !== quote) return at
        this.#isRaw = true
        at += 2
      } else {
        // CRLF is one break: the line feed is counted, the return only when it stands alone.
        if (byteKind === LINE_FEED) this.breaks++
        else if (at + 1 === filled && !last) return at
        else if (at + 1 === filled || bytes[at + 1] !== LF) this.breaks++
        at++
      }
    }
  }

  #behindSpaces(from: number): number {
    const { bytes, filled } = this
    let at = from
    while (at < filled && this.#spaces.includes(bytes[at]!)) at++
    return at
  }

  #endQuotedCell(fieldStart: number, at: number): void {
    if (this.#isSpaced) this.spaced++
    this.#isSpaced = false
    if (this.#isRaw) this.table.addRawCell(this.bytes, fieldStart, at)
    else this.table.addCell(this.bytes, fieldStart + 1, at - 1)
    this.#isRaw = false
  }

  #endRow(at: number): void {
    const { table } = this
    if (table.fields !== table.width && this.repaired > this.#repairedBefore) this.#splitAgain(at)
    table.endRow(this.bytes, at, this.breaks)
    this.breaks = 0
    this.#repairedBefore = this.repaired
  }

  /** A quote too many joined or divided fields, of which the other rows tell how many there are. */
  #splitAgain(at: number): void {
    if (this.breaks > 0 || this.#spaces.length > 0) return
    const { bytes, table } = this
    let end = at
    while (end > table.openRow && (bytes[end - 1] === LF || bytes[end - 1] === CR)) end--
    const line = bytes.subarray(table.openRow, end)
    const cells = rangesAroundStrayQuotes(line, this.#dialect, table.width)
    if (cells !== null) table.replaceCells(bytes, cells)
  }

  #countRepair(): void {
    this.repaired++
    this.#isRepaired = false
  }

  /**
   * Ends the open row with the line on which its open field begins. Returns a copy of the bytes
   * behind, which have to be scanned anew; the rows must be taken before anything else is scanned.
   */
  giveUpRow(): Buffer {
    const { bytes, filled, fieldStart } = this
    let lineEnd = fieldStart
    while (lineEnd < filled && bytes[lineEnd] !== LF && bytes[lineEnd] !== CR) lineEnd++
    const isPair = lineEnd + 1 < filled && bytes[lineEnd] === CR && bytes[lineEnd + 1] === LF
    const rowEnd = Math.min(filled, lineEnd + (isPair ? 2 : 1))
    this.table.addCell(bytes, fieldStart + 1, lineEnd)
    this.table.endBrokenRow(rowEnd, this.breaksBeforeField)
    this.filled = rowEnd
    this.#at = rowEnd
    this.fieldStart = rowEnd
    this.#mode = AT_FIELD
    this.breaks = 0
    this.#repairedBefore = this.repaired
    this.#isRaw = false
    this.#isSpaced = false
    return Buffer.from(bytes.subarray(rowEnd, filled))
  }

  /** Hands over the rows found so far and goes on with the open one in a buffer of its own. */
  takeRows(bufferBytes: number, spare: RowMemory | null): FinishedRows {
    const from = this.table.openRow
    const rows = this.table.takeRows(this.bytes, this.filled, spare?.arrays ?? null)
    this.#moveFrom(from, bufferBytes, spare?.buffer ?? null)
    return rows
  }

  /** Makes room for a row that does not fit. Only while no row is complete. */
  enlarge(): void {
    this.#moveFrom(0, this.#limit * 2, null)
  }

  #moveFrom(from: number, bufferBytes: number, spare: Buffer | null): void {
    const kept = this.filled - from
    const limit = Math.max(bufferBytes, kept)
    const size = bufferSize(limit)
    const next = spare?.length === size ? spare : Buffer.allocUnsafeSlow(size)
    this.bytes.copy(next, 0, from, this.filled)
    this.bytes = next
    this.#limit = limit
    this.filled = kept
    this.#at -= from
    this.fieldStart -= from
  }
}

/** There is always room for one byte more behind the input. */
function bufferSize(inputBytes: number): number {
  return inputBytes + Math.floor(inputBytes * VALUE_SHARE) + 1
}
