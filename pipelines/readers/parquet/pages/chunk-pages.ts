import { crc32 } from 'node:zlib'

import type { ExpansionBudget } from '../../../core/expansion-budget.ts'
import type { InputFile } from '../../../core/input.ts'
import { damagedFile, guarded, tooLarge } from '../file/damaged-file.ts'
import type { ColumnChunk } from '../file/file-metadata.ts'
import type { Leaf } from '../file/schema-tree.ts'
import { type RawValues, readRawValues } from './raw-values.ts'
import { decompress } from './decompress.ts'
import { Encoding, type PageHeader, PageType, readPageHeader } from './page-header.ts'
import { readRunLengths } from './run-lengths.ts'
import type { Message } from '../../../core/message.ts'
import { parquetMessages } from '../messages/parquet-messages.ts'

const FIRST_HEADER_BYTES = 256
const MOST_HEADER_BYTES = 16 * 1024 * 1024
/** The only limit for rows of a page whose cells are all null. */
const MOST_VALUES = 1 << 24

/** A page of one leaf, decoded. */
export interface DecodedPage {
  /** The number of values and nulls. */
  readonly entries: number
  /** Null if the leaf has no levels of that kind. */
  readonly repetitions: Uint8Array | null
  readonly definitions: Uint8Array | null
  /** The values that are not null; if `indexes` is set, they are positions in `dictionary`. */
  readonly values: RawValues
  readonly indexes: Int32Array | null
}

interface PageLimits {
  readonly pageBytes: number
  /** Counts what pages expand to. */
  readonly expansion: ExpansionBudget
}

/** The pages of one leaf in one row group, read from the file one after another. */
export class ChunkPages {
  dictionary: RawValues | null = null
  readonly #file: InputFile
  readonly #chunk: ColumnChunk
  readonly #leaf: Leaf
  readonly #limits: PageLimits
  #end: number
  #at: number
  #valuesLeft: number
  /** Bytes read ahead of `#at`, in the order of the file. */
  #ahead: Buffer = Buffer.alloc(0)

  constructor(file: InputFile, chunk: ColumnChunk, leaf: Leaf, limits: PageLimits) {
    this.#file = file
    this.#chunk = chunk
    this.#leaf = leaf
    this.#limits = limits
    this.#at = chunk.from
    this.#end = chunk.from + chunk.bytes
    this.#valuesLeft = chunk.values
  }

  /** The next page of values, or null after the last one. */
  async next(): Promise<DecodedPage | null> {
    while (this.#valuesLeft > 0) {
      if (this.#at >= this.#end) throw this.#damaged(parquetMessages.endsEarly())
      const header = await this.#header()
      const body = await this.#read(header.bytes)
      if (header.checksum !== null && crc32(body) !== header.checksum) {
        throw this.#damaged(parquetMessages.checksum())
      }
      const page = guarded(parquetMessages.column({ column: this.#name() }), () =>
        this.#decode(header, body),
      )
      if (page === null) continue
      this.#valuesLeft -= page.entries
      if (this.#valuesLeft < 0) throw this.#damaged(parquetMessages.manyValues())
      if (page.entries > 0) return page
    }
    const { from, bytes } = this.#chunk
    if (this.#at < from + bytes) throw this.#damaged(parquetMessages.manyValues())
    return null
  }

  async #header(): Promise<PageHeader> {
    for (let size = FIRST_HEADER_BYTES; ; size *= 4) {
      const bytes = await this.#peek(Math.min(size, this.#end - this.#at))
      try {
        const { header, end } = readPageHeader(bytes)
        this.#pass(end)
        const { pageBytes } = this.#limits
        if (header.bytes > this.#end - this.#at) throw this.#damaged(parquetMessages.cutPage())
        if (header.expandedBytes > pageBytes || header.values > MOST_VALUES) {
          throw tooLarge(parquetMessages.largePage({ most: pageBytes }), 'parquetPage')
        }
        this.#limits.expansion.count(header.expandedBytes)
        return header
      } catch (error) {
        const isCut = error instanceof RangeError && size < MOST_HEADER_BYTES
        if (isCut && bytes.length < this.#end - this.#at) continue
        if (error instanceof RangeError) throw this.#damaged(parquetMessages.noPageHeader())
        throw error
      }
    }
  }

  #decode(header: PageHeader, body: Buffer): DecodedPage | null {
    switch (header.type) {
      case PageType.dictionary:
        this.dictionary = this.#dictionary(header, body)
        this.#end += this.#chunk.slack
        return null
      case PageType.data:
        return this.#data(header, decompress(this.#chunk.codec, body, header.expandedBytes))
      case PageType.dataV2:
        return this.#dataV2(header, body)
      default:
        return null
    }
  }

  #dictionary(header: PageHeader, body: Buffer): RawValues {
    const bytes = decompress(this.#chunk.codec, body, header.expandedBytes)
    return readRawValues(bytes, Encoding.plain, this.#leaf, header.values)
  }

  #data(header: PageHeader, page: Buffer): DecodedPage {
    const { repetition, definition } = this.#leaf
    let at = 0
    const levels = (most: number): Uint8Array | null => {
      if (most === 0) return null
      const end = at + 4 + (at + 4 <= page.length ? page.readUInt32LE(at) : 0)
      if (end > page.length) throw new RangeError('its levels are cut')
      const read = readLevels(page, at + 4, end, most, header.values)
      at = end
      return read
    }
    const repetitions = levels(repetition)
    const definitions = levels(definition)
    return this.#page(header, repetitions, definitions, page.subarray(at))
  }

  /** Its levels come first, and are never compressed. */
  #dataV2(header: PageHeader, body: Buffer): DecodedPage {
    const { repetitionBytes, definitionBytes, values, expandedBytes } = header
    const behind = repetitionBytes + definitionBytes
    if (repetitionBytes < 0 || definitionBytes < 0 || behind > body.length) {
      throw new RangeError('its levels are cut')
    }
    const { repetition, definition } = this.#leaf
    const levels = (most: number, from: number, to: number) =>
      most === 0 ? null : readLevels(body, from, to, most, values)
    const repetitions = levels(repetition, 0, repetitionBytes)
    const definitions = levels(definition, repetitionBytes, behind)
    const packed = body.subarray(behind)
    const codec = header.isCompressed ? this.#chunk.codec : 0
    if (expandedBytes < behind) throw new RangeError('its levels are longer than the page')
    const page = decompress(codec, packed, expandedBytes - behind)
    return this.#page(header, repetitions, definitions, page)
  }

  #page(
    { values: entries, encoding, nulls, rows }: PageHeader,
    repetitions: Uint8Array | null,
    definitions: Uint8Array | null,
    bytes: Buffer,
  ): DecodedPage {
    const count = definitions === null ? entries : occurrences(definitions, this.#leaf.definition)
    if (nulls >= 0 && nulls !== entries - count) throw new RangeError('its nulls are not as stated')
    const isOneEach = this.#leaf.repetition === 0
    if (isOneEach && rows >= 0 && rows !== entries)
      throw new RangeError('its rows are not as stated')
    const levels = { entries, repetitions, definitions }
    if (encoding !== Encoding.dictionary && encoding !== Encoding.plainDictionary) {
      const values = readRawValues(bytes, encoding, this.#leaf, count)
      return { ...levels, values, indexes: null }
    }
    const { dictionary } = this
    if (dictionary === null) throw new RangeError('its dictionary is missing')
    const indexes = new Int32Array(count)
    if (count > 0) readRunLengths(bytes, 1, bytes.length, bytes[0]!, indexes)
    for (const index of indexes) {
      if (index < 0 || index >= dictionary.count)
        throw new RangeError('its dictionary is too short')
    }
    return { ...levels, values: dictionary, indexes }
  }

  async #peek(length: number): Promise<Buffer> {
    if (this.#ahead.length < length) this.#ahead = await this.#file.read(this.#at, length)
    if (this.#ahead.length < length) throw this.#damaged(parquetMessages.endsEarly())
    return this.#ahead.subarray(0, length)
  }

  async #read(length: number): Promise<Buffer> {
    const body = await this.#peek(length)
    this.#pass(length)
    return body
  }

  #pass(length: number): void {
    this.#at += length
    this.#ahead = this.#ahead.subarray(length)
  }

  #name(): string {
    return this.#leaf.path.join('.')
  }

  #damaged(fault: Message): Error {
    return damagedFile(parquetMessages.columnFault({ column: this.#name(), fault }))
  }
}

function readLevels(
  bytes: Buffer,
  from: number,
  to: number,
  most: number,
  count: number,
): Uint8Array {
  const levels = new Uint8Array(count)
  readRunLengths(bytes, from, to, 32 - Math.clz32(most), levels)
  for (const level of levels) if (level > most) throw new RangeError('a level is too high')
  return levels
}

function occurrences(levels: Uint8Array, of: number): number {
  let count = 0
  for (let at = 0; at < levels.length; at++) if (levels[at] === of) count += 1
  return count
}
