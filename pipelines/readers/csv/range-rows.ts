import { OpenRowTooLongError } from '../../core/errors.ts'
import type { EngineLimits } from '../../core/limits.ts'
import type { TextInput } from '../../input/text/open-text.ts'
import type { OnBroken } from './faulty-rows.ts'
import type { Dialect } from './dialect.ts'
import { cellTooLong, mostRowBytes, rowTooLong } from './limits.ts'
import { csvMessages } from './messages.ts'
import { RangeScanner } from './range-scanner.ts'
import type { RowMemory, FinishedRows, RowTable } from './row-table.ts'

/** Twice as much is no faster, and is not returned by the process after many loads at once. */
const BUFFER_BYTES = 128 * 1024
/** How much is scanned in one go, which takes a few milliseconds. */
const STRETCH_BYTES = 512 * 1024

/** Pulls bytes through the scanner into a table, one buffer full of rows at a time. */
export class RangeRows {
  readonly #text: TextInput
  readonly #table: RowTable
  readonly #scanner: RangeScanner
  readonly #limits: EngineLimits
  readonly #onBroken: OnBroken
  #spare: RowMemory | null = null

  constructor(
    text: TextInput,
    dialect: Dialect,
    table: RowTable,
    limits: EngineLimits,
    onBroken: OnBroken,
  ) {
    this.#text = text
    this.#table = table
    this.#scanner = new RangeScanner(dialect, table, BUFFER_BYTES)
    this.#limits = limits
    this.#onBroken = onBroken
  }

  get repaired(): number {
    return this.#scanner.repaired
  }

  get spaced(): number {
    return this.#scanner.spaced
  }

  async take(mostRows: number): Promise<FinishedRows | null> {
    const scanner = this.#scanner
    const table = this.#table
    for (;;) {
      const most = Math.min(scanner.space, STRETCH_BYTES)
      scanner.filled += await this.#text.readInto(scanner.bytes, scanner.filled, most)
      const isLast = this.#text.isOver
      scanner.scan(isLast, mostRows)
      const isExhausted = table.rows < mostRows
      if (table.rows === 0) this.#checkKept()
      if (isExhausted && this.#isNeverClosed(isLast)) {
        this.#giveUpRow(isLast)
        return this.#takeRows()
      }
      if (table.rows > 0 && (!isExhausted || isLast || scanner.space === 0)) {
        return this.#takeRows()
      }
      if (isLast) return null
      if (isExhausted) this.#checkOpenRow()
      if (scanner.space === 0) scanner.enlarge()
    }
  }

  /** Takes back rows that are no longer needed, so that the next ones can use their memory. */
  recycle({ memory }: FinishedRows): void {
    this.#spare = memory
  }

  #takeRows(): FinishedRows {
    const rows = this.#scanner.takeRows(BUFFER_BYTES, this.#spare)
    this.#spare = null
    return rows
  }

  /** What was not scanned is put back for the next reader. */
  putBackRest(): void {
    const { bytes, filled } = this.#scanner
    this.#text.unread(bytes.subarray(this.#table.openRow, filled))
  }

  #isNeverClosed(isLast: boolean): boolean {
    const { isInsideQuotes, filled, fieldStart } = this.#scanner
    return isInsideQuotes && (isLast || filled - fieldStart > this.#limits.cellBytes)
  }

  /**
   * Continues on the next line, at little cost: every quote in the bytes that have to be scanned
   * again was one of a pair, so no field in them can be left open a second time.
   */
  #giveUpRow(isLast: boolean): void {
    const table = this.#table
    const scanner = this.#scanner
    const line = table.line + scanner.breaksBeforeField
    const { cellBytes } = this.#limits
    this.#onBroken(
      table.rows,
      line,
      isLast ? csvMessages.neverClosed() : csvMessages.notClosedWithin({ most: cellBytes }),
    )
    this.#text.unread(scanner.giveUpRow())
  }

  #checkKept(): void {
    const { openRowBytes } = this.#limits
    if (this.#scanner.filled - this.#table.openRow <= openRowBytes) return
    throw new OpenRowTooLongError(`The row is longer than ${openRowBytes} bytes`)
  }

  #checkOpenRow(): void {
    const { filled, fieldStart } = this.#scanner
    const { cellBytes } = this.#limits
    if (filled - fieldStart > cellBytes) throw cellTooLong(this.#table.line, cellBytes)
    const most = mostRowBytes(this.#limits)
    if (filled - this.#table.openRow > most) throw rowTooLong(this.#table.line, most)
  }
}
