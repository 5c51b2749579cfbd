import { CellKind } from '../../core/batch.ts'
import { EngineError } from '../../core/errors.ts'
import type { RowBlock } from '../excel/blocks/row-block.ts'
import type { BlockWriter } from '../excel/sheet/block-writer.ts'
import type { TextRowParser } from '../excel/sheet/text-book.ts'
import type { FoundWidths } from './find-widths.ts'
import { isTitle } from './gaps.ts'
import { fixedWidthMessages } from './messages.ts'

const MOST_LINE_CHARACTERS = 4 * 1024 * 1024

/** Between the names above a table that are not aligned with it. */
const APART = /\s{2,}/

/**
 * Cuts lines into fields of given widths, in characters; what is beyond the last one is one more
 * field, unless the widths were found. The ruler is not a row. Titles are not cut, nor are names that stand apart above the table,
 * if there are as many as fields.
 */
export class LineParser implements TextRowParser {
  readonly merged = []
  readonly findings: Readonly<Record<string, unknown>>
  readonly #writer: BlockWriter
  readonly #widths: readonly number[]
  readonly #found: FoundWidths
  #pending = ''
  #line = 0

  constructor(writer: BlockWriter, found: FoundWidths) {
    const { widths, ruler } = found
    this.#writer = writer
    this.#widths = widths
    this.#found = found
    this.findings = { widths, ...(ruler !== null && { ruler }) }
  }

  take(text: string, onBlock: (block: RowBlock) => void): void {
    const all = this.#pending + text
    // If there is none, it need not be searched for again in every line.
    const hasFeeds = all.includes('\n')
    let from = 0
    for (;;) {
      const end = endOfLine(all, from, hasFeeds)
      if (end === null) break
      this.#addLine(all.slice(from, end.text), onBlock)
      from = end.next
    }
    this.#pending = all.slice(from)
    if (this.#pending.length > MOST_LINE_CHARACTERS) throw tooLong(this.#line + 1)
  }

  finish(onBlock: (block: RowBlock) => void): void {
    // A carriage return at the very end was waiting for a line feed.
    const last = this.#pending.replace(/\r$/, '')
    if (last !== '') this.#addLine(last, onBlock)
    this.#pending = ''
  }

  #addLine(line: string, onBlock: (block: RowBlock) => void): void {
    this.#line += 1
    if (line.trim() === '' || line.trimEnd() === this.#found.ruler) return
    const full = this.#writer.beginRow(this.#line)
    if (full !== null) onBlock(full)
    // Characters, some of which take two UTF-16 units.
    const isPlain = !/[\ud800-\udbff]/.test(line)
    const characters = isPlain ? null : [...line]
    if (this.#line < this.#found.firstLine) {
      const names = line.trim().split(APART)
      if (names.length === this.#widths.length) return this.#addFields(names)
      if (names.length * 2 <= this.#widths.length) return this.#addField(0, line.trim())
    } else if (isTitle(line, this.#found.gaps)) {
      return this.#addField(0, line.trim())
    }
    const length = characters === null ? line.length : characters.length
    let from = 0
    for (let column = 0; from < length; column++) {
      const isRest = column > 0 && column === this.#found.gaps.length
      const to = isRest ? length : from + (this.#widths[column] ?? length)
      const field = characters === null ? line.slice(from, to) : characters.slice(from, to).join('')
      this.#addField(column, field.trim())
      from = to
    }
  }

  #addFields(texts: readonly string[]): void {
    for (const [column, text] of texts.entries()) this.#addField(column, text)
  }

  #addField(column: number, text: string): void {
    if (text === '') return
    const start = this.#writer.block.used
    this.#writer.block.appendText(text)
    this.#writer.add(column, start, CellKind.text)
  }
}

/** Where the text of a line ends and the next line begins; null if that has not arrived. */
function endOfLine(
  text: string,
  from: number,
  hasFeeds: boolean,
): { text: number; next: number } | null {
  const feed = hasFeeds ? text.indexOf('\n', from) : -1
  const line = feed === -1 ? text.slice(from) : text.slice(from, feed)
  const inLine = line.indexOf('\r')
  if (inLine === -1) return feed === -1 ? null : { text: feed, next: feed + 1 }
  const back = from + inLine
  if (back + 1 === text.length) return null
  return { text: back, next: text[back + 1] === '\n' ? back + 2 : back + 1 }
}

function tooLong(line: number): EngineError {
  return new EngineError(fixedWidthMessages.longLine({ line }), {
    kind: 'limit',
    limit: 'cellBytes',
    line,
  })
}
