import { setImmediate as nextTurn } from 'node:timers/promises'

import { type CsvError, parse, type Parser } from 'csv-parse'

import type { ByteFlow } from '../../core/input.ts'
import type { EngineLimits } from '../../core/limits.ts'
import type { Message } from '../../core/message.ts'
import { type Dialect, splitRecord } from './dialect.ts'
import { findOpenQuote } from './find-open-quote.ts'
import { mostRowBytes, rowTooLong } from './limits.ts'
import { csvMessages } from './messages.ts'
import { RecordWindow } from './record-window.ts'
import { lineBreaks } from './sample-rows.ts'

/** csv-parse processes what it is given without a pause; this much takes a few milliseconds. */
const STRETCH_BYTES = 32 * 1024

const LF = 10
const CR = 13

export interface GeneralRow {
  readonly cells: readonly string[]
  /** As it is in the file, without its line break. */
  readonly raw: string
  readonly line: number
  /** Fields in which a quote, or text after a closing quote, was taken literally. */
  readonly repaired: number
  /** Quoted fields surrounded by white space that belongs to the delimiter. */
  readonly spaced: number
  readonly fault: { readonly line: number; readonly message: Message } | null
}

/**
 * Reads rows with csv-parse, which finds the records. Fields that it would repair in its own way
 * (text after a closing quote, escapes before ordinary characters) are split again by our rules.
 */
export class GeneralRows {
  readonly #dialect: Dialect
  readonly #limits: EngineLimits
  readonly #flow: ByteFlow
  /** Pieces taken from the flow that have not been parsed yet. */
  readonly #waiting: Buffer[] = []
  #parser: Parser
  #window = new RecordWindow()
  #found: GeneralRow[] = []
  #line = 1
  #isOver = false
  /** The repairs of the record that is being parsed. */
  #repaired = 0
  #isOurs = false

  constructor(flow: ByteFlow, dialect: Dialect, limits: EngineLimits) {
    this.#flow = flow
    this.#dialect = dialect
    this.#limits = limits
    this.#parser = this.#createParser()
  }

  /** The rows that were found next, or null at the end. */
  async take(): Promise<readonly GeneralRow[] | null> {
    while (this.#found.length === 0 && !this.#isOver) {
      const chunk = await this.#nextStretch()
      try {
        await (chunk === null ? this.#flush() : this.#write(chunk))
      } catch (error) {
        await this.#recover(error as CsvError)
      }
      // Waiting pieces arrive without a pause, and a single row may consist of many megabytes of
      // them.
      if (this.#found.length === 0) await nextTurn()
    }
    const rows = this.#found
    this.#found = []
    return rows.length > 0 ? rows : null
  }

  async #nextStretch(): Promise<Buffer | null> {
    const chunk = this.#waiting.shift() ?? (await this.#flow.next())
    if (chunk === null) return null
    if (chunk.length > STRETCH_BYTES) this.#waiting.unshift(chunk.subarray(STRETCH_BYTES))
    return chunk.subarray(0, STRETCH_BYTES)
  }

  #write(chunk: Buffer): Promise<void> {
    this.#window.push(chunk)
    return new Promise((resolve, reject) => {
      this.#parser.write(chunk, (error) => (error ? reject(error) : resolve()))
    })
  }

  async #flush(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#parser.once('error', reject)
      this.#parser.once('end', resolve)
      this.#parser.resume()
      this.#parser.end()
    })
    this.#isOver = true
    // csv-parse makes no record of a last line that is trimmed to nothing and has no line break.
    const rest = this.#window.takeAll()
    if (rest.length > 0 && this.#dialect.isSpaced) this.#keepText(rest.toString('utf8'), null)
  }

  #createParser(): Parser {
    const { delimiter, quote, escape, isSpaced } = this.#dialect
    const parser = parse({
      // Text after a closing quote is handled by our own rules.
      ltrim: isSpaced,
      // An unquoted field never contains a line break, so this delimiter splits nothing.
      delimiter: delimiter ?? '\r\n\r\n',
      quote: quote ?? false,
      escape: escape ?? false,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_quotes: true,
      relax_column_count: true,
      max_record_size: mostRowBytes(this.#limits),
      cast: (value, { quoting }) => this.#look(value, quoting),
      on_record: (cells: string[], { bytes }) => this.#keep(cells, bytes),
    })
    // Also tells those who wait for a write or the end.
    parser.on('error', () => parser.destroy())
    return parser
  }

  #look(value: string, isQuoted: boolean): string {
    const { quote, escape, isSpaced } = this.#dialect
    if (isSpaced) this.#isOurs = true
    if (quote === null) return value
    if (isQuoted) this.#isOurs ||= value.startsWith(quote) || escape !== quote
    else if (value.includes(quote)) this.#repaired++
    return value
  }

  /** The stream itself passes nothing on, so that rows are pulled and not pushed. */
  #keep(cells: readonly string[], bytes: number): null {
    this.#keepText(this.#window.takeRecord(bytes).toString('utf8'), this.#isOurs ? null : cells)
    return null
  }

  /** `cells`: null if our own rules find them. */
  #keepText(text: string, cells: readonly string[] | null): void {
    const found =
      cells === null
        ? splitRecord(text, 0, this.#dialect)
        : { cells, repaired: this.#repaired, spaced: 0 }
    this.#found.push({
      cells: found.cells,
      raw: withoutBreak(text),
      line: this.#line,
      repaired: found.repaired,
      spaced: found.spaced,
      fault: null,
    })
    this.#line += lineBreaks(text)
    this.#repaired = 0
    this.#isOurs = false
  }

  /**
   * A quote that is never closed, or not within the longest row, only costs its own line;
   * everything after it is parsed again. This does not depend on how much of the file has arrived.
   */
  async #recover(error: CsvError): Promise<void> {
    const isTooLong = error.code === 'CSV_MAX_RECORD_SIZE'
    if (error.code !== 'CSV_QUOTE_NOT_CLOSED' && !isTooLong) throw error
    const most = mostRowBytes(this.#limits)
    const rest = this.#window.takeAll()
    const openedAt = await this.#openedAt(isTooLong ? rest.subarray(0, most) : rest)
    if (openedAt === null) throw rowTooLong(this.#line, most)
    const lineEnd = endOfLine(rest, openedAt)
    const line = rest.toString('utf8', 0, lineEnd)
    const raw = withoutBreak(line)
    const { cells, repaired, spaced, openedAt: quoteAt } = splitRecord(raw, 0, this.#dialect)
    const faultLine = this.#line + lineBreaks(raw.slice(0, quoteAt!))
    this.#found.push({
      cells: [...cells, raw.slice(quoteAt! + this.#dialect.quote!.length)],
      raw,
      line: this.#line,
      repaired,
      spaced,
      fault: { line: faultLine, message: csvMessages.neverClosed() },
    })
    this.#line = raw === line ? faultLine : faultLine + 1
    this.#restart(rest.subarray(lineEnd))
  }

  async #openedAt(record: Buffer): Promise<number | null> {
    const { quote } = this.#dialect
    if (quote === null) return null
    const finding = findOpenQuote(record, { ...this.#dialect, quote })
    for (;;) {
      const { done, value } = finding.next()
      if (done) return value
      await nextTurn()
    }
  }

  #restart(rest: Buffer): void {
    if (rest.length > 0) this.#waiting.unshift(rest)
    this.#window = new RecordWindow()
    this.#parser = this.#createParser()
    this.#repaired = 0
    this.#isOurs = false
  }
}

function withoutBreak(line: string): string {
  if (line.endsWith('\r\n')) return line.slice(0, -2)
  return line.endsWith('\n') || line.endsWith('\r') ? line.slice(0, -1) : line
}

function endOfLine(bytes: Buffer, from: number): number {
  // Read once: inside the loop it costs more than reading a byte.
  const { length } = bytes
  for (let at = from; at < length; at++) {
    if (bytes[at] === LF) return at + 1
    if (bytes[at] === CR) return bytes[at + 1] === LF ? at + 2 : at + 1
  }
  return length
}
