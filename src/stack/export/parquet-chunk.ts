import type { ByteWriter, SchemaElement } from 'hyparquet-writer'
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'
import type { ParquetWriter } from 'hyparquet-writer'

import { DictionaryMemory, dictionaryOf, type ParquetValues } from './parquet-values.ts'
import { Snappy } from './snappy.ts'

type ColumnChunk = ParquetWriter['row_groups'][number]['columns'][number]

const WIDTHS = { INT32: 4, INT64: 8, FIXED_LEN_BYTE_ARRAY: 16, BYTE_ARRAY: null } as const
/** Below this size compression saves little, and readers are faster without it. */
const WORTH_COMPRESSING_BYTES = 64

/** Buffers and encoders that every column of a file is written with. */
export class ChunkTools {
  readonly snappy = new Snappy()
  readonly dictionary = new DictionaryMemory()
  #page = Buffer.alloc(1024)

  /** Only valid until the next call. */
  page(size: number): Buffer {
    if (this.#page.length < size) this.#page = Buffer.allocUnsafeSlow(2 * size)
    return this.#page.subarray(0, size)
  }
}

/** Writes a column of a row group: a dictionary if it is worth one, and its values in one page. */
export function writeChunk(
  out: ByteWriter,
  element: SchemaElement,
  values: ParquetValues,
  tools: ChunkTools,
): ColumnChunk {
  const type = element.type!
  const from = out.offset
  let expandedBytes = 0
  const width = type in WIDTHS ? WIDTHS[type as keyof typeof WIDTHS] : undefined
  const dictionary = width === undefined ? null : dictionaryOf(values, width, tools.dictionary)
  const plain = values.bytes.subarray(0, values.length)
  let page: Uint8Array = type === 'BOOLEAN' ? packedBits(plain) : plain
  if (dictionary !== null) {
    const { bytes, words, indexes, bitWidth } = dictionary
    const compressed = tools.snappy.compress(bytes)
    writePageHeader(out, {
      type: 'DICTIONARY_PAGE',
      uncompressed_page_size: bytes.length,
      compressed_page_size: compressed.length,
      dictionary_page_header: { num_values: words, encoding: 'PLAIN' },
    })
    expandedBytes += out.offset - from + bytes.length
    out.appendBytes(compressed)
    page = tools.page(1 + runBytes(indexes.length, bitWidth))
    page[0] = bitWidth
    putRun(page.subarray(1), indexes, bitWidth)
  }
  const pageFrom = out.offset
  const levels = levelsOf(values)
  const isCompressed = page.length >= WORTH_COMPRESSING_BYTES
  const compressed = isCompressed ? tools.snappy.compress(page) : page
  const encoding = dictionary === null ? 'PLAIN' : 'RLE_DICTIONARY'
  const nulls = values.rows - values.count
  writePageHeader(out, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: levels.length + page.length,
    compressed_page_size: levels.length + compressed.length,
    data_page_header_v2: {
      num_values: values.rows,
      num_nulls: nulls,
      num_rows: values.rows,
      encoding,
      definition_levels_byte_length: levels.length,
      repetition_levels_byte_length: 0,
      is_compressed: isCompressed,
    },
  })
  expandedBytes += out.offset - pageFrom + levels.length + page.length
  out.appendBytes(levels)
  out.appendBytes(compressed)
  const bounds = type === 'INT32' || type === 'INT64' ? boundsOf(values, type) : {}
  return {
    file_offset: BigInt(from),
    meta_data: {
      type,
      encodings: dictionary === null ? ['PLAIN', 'RLE'] : ['PLAIN', 'RLE', 'RLE_DICTIONARY'],
      path_in_schema: [element.name],
      codec: 'SNAPPY',
      num_values: BigInt(values.rows),
      total_uncompressed_size: BigInt(expandedBytes),
      total_compressed_size: BigInt(out.offset - from),
      data_page_offset: BigInt(pageFrom),
      ...(dictionary !== null && { dictionary_page_offset: BigInt(from) }),
      statistics: { null_count: BigInt(nulls), ...bounds },
    },
  }
}

/** Which rows have a value. */
function levelsOf({ present, rows, count }: ParquetValues): Uint8Array {
  if (count === rows) return Uint8Array.of(...varInt(rows << 1), 1)
  const levels = new Uint8Array(runBytes(rows, 1))
  putRun(levels, present.subarray(0, rows), 1)
  return levels
}

/** The size of a run of numbers of a few bits each, in groups of eight. */
function runBytes(count: number, bitWidth: number): number {
  const groups = Math.ceil(count / 8)
  return varInt((groups << 1) | 1).length + groups * bitWidth
}

function putRun(into: Uint8Array, numbers: Int32Array | Uint8Array, bitWidth: number): void {
  const head = varInt((Math.ceil(numbers.length / 8) << 1) | 1)
  into.set(head)
  pack(into.subarray(head.length), numbers, bitWidth)
}

function packedBits(bits: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8))
  pack(bytes, bits, 1)
  return bytes
}

/** Lowest bits first; the last group is filled up with zeros. */
function pack(into: Uint8Array, numbers: Int32Array | Uint8Array, bitWidth: number): void {
  let held = 0
  let heldBits = 0
  let to = 0
  for (let at = 0; at < numbers.length; at++) {
    held |= numbers[at]! << heldBits
    heldBits += bitWidth
    while (heldBits >= 8) {
      into[to] = held
      to += 1
      held >>>= 8
      heldBits -= 8
    }
  }
  if (heldBits > 0) {
    into[to] = held
    to += 1
  }
  into.fill(0, to)
}

function varInt(value: number): number[] {
  const bytes = []
  let left = value
  for (; left >= 0x80; left >>>= 7) bytes.push((left & 0x7f) | 0x80)
  return [...bytes, left]
}

/** The lowest and the highest value, by which readers skip row groups. */
function boundsOf({ view, count }: ParquetValues, type: 'INT32' | 'INT64') {
  if (count === 0) return {}
  const each = type === 'INT32' ? 4 : 8
  const isLess = (one: number, other: number): boolean => {
    const high = view.getInt32(one + each - 4, true) - view.getInt32(other + each - 4, true)
    if (high !== 0 || each === 4) return high < 0
    return view.getUint32(one, true) < view.getUint32(other, true)
  }
  let least = 0
  let most = 0
  for (let at = each; at < count * each; at += each) {
    if (isLess(at, least)) least = at
    else if (isLess(most, at)) most = at
  }
  const valueAt = (at: number) =>
    each === 4 ? view.getInt32(at, true) : view.getBigInt64(at, true)
  return { min_value: valueAt(least), max_value: valueAt(most) }
}
