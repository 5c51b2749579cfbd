import type { StatedType } from '../../../core/reader.ts'
import type { ByteSink } from '../../byte-sink.ts'
import type { TopColumn } from '../file/schema-tree.ts'
import type { RawValues } from '../pages/raw-values.ts'
import { type BinaryWriter, binaryWriter } from '../values/binary-writer.ts'
import { areTexts, TEXT, type RawValueWriter, valueWriter } from '../values/value-writer.ts'
import type { Cells, ReadColumn } from './table-column.ts'
import type { LeafCursor } from './leaf-cursor.ts'

const NO_VALUE = 0xff

/** A column with at most one value per row. */
export class FlatColumn implements ReadColumn {
  readonly name: string
  notANumber = 0
  readonly #writer: RawValueWriter
  readonly #leaf: number
  readonly #binaryWriter: BinaryWriter | null
  #binary: BinaryWriter | null = null
  #cursor: LeafCursor | null = null
  #values: RawValues | null = null
  #areTexts = false
  /** The dictionary whose longest word is known. */
  #measured: RawValues | null = null
  #longestWord = 0
  /** Where each word of the dictionary is in the batch that `#wordsOf` names. */
  #words: RawValues | null = null
  #wordStart = new Int32Array(0)
  #wordEnd = new Int32Array(0)
  #wordKind = new Uint8Array(0)
  #wordBatch = new Int32Array(0)
  #batch = 0

  readonly #isKnownBeyond: boolean

  /**
   * `isUtc`: whether times without a zone are in UTC. `isKnownBeyond`: whether an earlier pass met
   * a year that no date holds.
   */
  constructor({ node, leaves }: TopColumn, isUtc: boolean, isKnownBeyond: boolean) {
    this.name = node.name
    this.#writer = valueWriter(leaves[0]!)
    this.#leaf = leaves[0]!.index
    this.#isKnownBeyond = isKnownBeyond
    this.#binaryWriter = binaryWriter(leaves[0]!, isUtc)
  }

  get stated(): StatedType {
    return this.isBeyondYears ? TEXT : this.#writer.stated
  }

  get isBeyondYears(): boolean {
    return this.#isKnownBeyond || this.#writer.days?.sawBeyondYears === true
  }

  begin(cursors: readonly LeafCursor[]): void {
    this.#cursor = cursors[this.#leaf]!
  }

  giveValues(): void {
    if (this.isBeyondYears) return
    this.#binary = this.#binaryWriter
    // The batch may already contain words as texts.
    this.#words = null
  }

  async fill(): Promise<boolean> {
    return await this.#cursor!.fill()
  }

  async isOver(): Promise<boolean> {
    return !(await this.#cursor!.fill())
  }

  rowsReady(mostBytes: number): number {
    const cursor = this.#cursor!
    const rows = cursor.rowsReady
    const { start, end } = cursor.values
    if (end.length === 0) return rows
    if (cursor.indexes !== null) return this.#rowsOfWords(cursor.indexes, rows, mostBytes)
    // The current values are in order, with next to nothing between them.
    const from = cursor.nextValue
    if (from >= end.length) return rows
    const limit = start[from]! + mostBytes
    if (end.at(-1)! <= limit) return rows
    let within = 1
    while (from + within < end.length && end[from + within]! <= limit) within += 1
    return Math.min(rows, within)
  }

  /** A word counts for every cell that it fills: a batch holds no more text than others do. */
  #rowsOfWords(indexes: Int32Array, rows: number, mostBytes: number): number {
    const { values, definitions, nextEntry, nextValue, leaf } = this.#cursor!
    if (values !== this.#measured) {
      this.#measured = values
      this.#longestWord = longest(values)
    }
    if (rows * this.#longestWord <= mostBytes) return rows
    let value = nextValue
    let bytes = 0
    for (let row = 0; row < rows; row++) {
      if (definitions !== null && definitions[nextEntry + row] !== leaf.definition) continue
      const word = indexes[value]!
      value += 1
      bytes += values.end[word]! - values.start[word]!
      if (bytes > mostBytes) return Math.max(1, row)
    }
    return rows
  }

  write(cells: Cells, out: ByteSink): void {
    const cursor = this.#cursor!
    const { values, indexes } = cursor
    this.#look(values)
    if (indexes !== null) this.#writeWords(cells, indexes, out)
    else if (this.#areTexts) this.#writeTexts(cells, out)
    else this.#writePlain(cells, out)
  }

  /** Properties of the current values, a page or a dictionary, are found out once. */
  #look(values: RawValues): void {
    if (values === this.#values) return
    this.#values = values
    const { bytes } = this.#writer
    this.#areTexts = bytes !== undefined && areTexts(values, bytes)
  }

  #writePlain({ first, step, rows, start, end, kinds }: Cells, out: ByteSink): void {
    const cursor = this.#cursor!
    const { values, definitions, nextEntry, nextValue } = cursor
    const { definition } = cursor.leaf
    let value = nextValue
    let cell = first
    for (let row = 0; row < rows; row++, cell += step) {
      if (definitions !== null && definitions[nextEntry + row] !== definition) continue
      const from = out.length
      const kind = this.#writeValue(values, value, out)
      value += 1
      if (kind === NO_VALUE) this.notANumber += 1
      else {
        start[cell] = from
        end[cell] = out.length
        kinds[cell] = kind
      }
    }
    cursor.passRows(rows, value - nextValue)
  }

  /** Copies all of them at once, including what the page has between them. */
  #writeTexts({ first, step, rows, start, end, kinds }: Cells, out: ByteSink): void {
    const cursor = this.#cursor!
    const { values, definitions, nextEntry, nextValue } = cursor
    const { definition } = cursor.leaf
    const { kind } = this.#writer
    const from = nextValue < values.count ? values.start[nextValue]! : 0
    const shift = out.length - from
    let value = nextValue
    let cell = first
    for (let row = 0; row < rows; row++, cell += step) {
      if (definitions !== null && definitions[nextEntry + row] !== definition) continue
      start[cell] = values.start[value]! + shift
      end[cell] = values.end[value]! + shift
      kinds[cell] = kind
      value += 1
    }
    if (value > nextValue) out.copy(values.bytes, from, values.end[value - 1]!)
    cursor.passRows(rows, value - nextValue)
  }

  /** Each word is written to a batch once, however many cells it fills. */
  #writeWords({ first, step, rows, start, end, kinds }: Cells, indexes: Int32Array, out: ByteSink) {
    const cursor = this.#cursor!
    const { values, definitions, nextEntry, nextValue } = cursor
    const { definition } = cursor.leaf
    this.#newBatch(values)
    let value = nextValue
    let cell = first
    for (let row = 0; row < rows; row++, cell += step) {
      if (definitions !== null && definitions[nextEntry + row] !== definition) continue
      const word = indexes[value]!
      value += 1
      if (this.#wordBatch[word] !== this.#batch) this.#writeWord(values, word, out)
      const kind = this.#wordKind[word]!
      if (kind === NO_VALUE) this.notANumber += 1
      else {
        start[cell] = this.#wordStart[word]!
        end[cell] = this.#wordEnd[word]!
        kinds[cell] = kind
      }
    }
    cursor.passRows(rows, value - nextValue)
  }

  /** Returns the kind of the cell that was written, or `NO_VALUE`. */
  #writeValue(values: RawValues, at: number, out: ByteSink): number {
    const { kind } = this.#writer
    if (this.#areTexts) {
      out.copy(values.bytes, values.start[at]!, values.end[at]!)
      return kind
    }
    const binary = this.#binary
    if (binary !== null && binary.write(values, at, out)) return binary.kind
    return this.#writer.write(values, at, out) ? kind : NO_VALUE
  }

  #newBatch(values: RawValues): void {
    this.#batch += 1
    if (this.#words === values) return
    this.#words = values
    this.#wordStart = new Int32Array(values.count)
    this.#wordEnd = new Int32Array(values.count)
    this.#wordKind = new Uint8Array(values.count)
    this.#wordBatch = new Int32Array(values.count)
  }

  #writeWord(values: RawValues, word: number, out: ByteSink): void {
    this.#wordStart[word] = out.length
    this.#wordKind[word] = this.#writeValue(values, word, out)
    this.#wordEnd[word] = out.length
    this.#wordBatch[word] = this.#batch
  }
}

function longest({ start, end }: RawValues): number {
  let bytes = 0
  for (let at = 0; at < end.length; at++) bytes = Math.max(bytes, end[at]! - start[at]!)
  return bytes
}
