/** Views the same bytes so that several can be read at a time, which is faster than a buffer's methods. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}

const FIRST_BYTES = 4096
const FIRST_ROWS = 1024
/** A column that grew beyond this size gives its memory back. */
const MOST_KEPT_BYTES = 8 * 1024 * 1024
const LONG_BYTES = 128

/**
 * The values of one column in a row group, as in a page of the format: one after another,
 * little-endian, without NULLs. The same memory serves every row group.
 */
export class ParquetValues {
  bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  view = viewOf(this.bytes)
  length = 0
  rows = 0
  /** How many values are not NULL. */
  count = 0
  /** 1 for each row that has a value. */
  present = new Uint8Array(FIRST_ROWS)

  /** Makes room for `more` bytes; may replace `bytes` and `view`. */
  reserve(more: number): void {
    const needed = this.length + more
    if (needed > this.bytes.length) this.#replace(Math.max(needed, 2 * this.bytes.length))
  }

  int32(value: number): void {
    this.reserve(4)
    this.view.setInt32(this.length, value, true)
    this.length += 4
  }

  /** As two 32-bit halves: larger integers would be objects, two for each value. */
  halves(high: number, low: number): void {
    this.reserve(8)
    this.view.setInt32(this.length, low, true)
    this.view.setInt32(this.length + 4, high, true)
    this.length += 8
  }

  /** Bytes preceded by their length; short ones are copied four at a time, which is faster than a call. */
  takeBytes(from: DataView, start: number, length: number): void {
    this.reserve(4 + length)
    const { view } = this
    view.setInt32(this.length, length, true)
    const to = this.length + 4
    this.length = to + length
    const last = length - 4
    if (last < 0 || last > LONG_BYTES) {
      this.bytes.set(new Uint8Array(from.buffer, from.byteOffset + start, length), to)
      return
    }
    for (let at = 0; at < last; at += 4)
      view.setInt32(to + at, from.getInt32(start + at, true), true)
    view.setInt32(to + last, from.getInt32(start + last, true), true)
  }

  /** Ends a row, with or without the value that was written. */
  endRow(isPresent: boolean): void {
    if (this.rows === this.present.length) {
      const larger = new Uint8Array(2 * this.rows)
      larger.set(this.present)
      this.present = larger
    }
    this.present[this.rows] = isPresent ? 1 : 0
    this.rows += 1
    if (isPresent) this.count += 1
  }

  clear(): void {
    this.length = 0
    this.rows = 0
    this.count = 0
    if (this.bytes.length > MOST_KEPT_BYTES) this.#replace(FIRST_BYTES)
  }

  #replace(size: number): void {
    const other = Buffer.allocUnsafeSlow(size)
    this.bytes.copy(other, 0, 0, this.length)
    this.bytes = other
    this.view = viewOf(other)
  }
}

/** The distinct values of a column, as in a page, and for every value which of them it is. */
interface ParquetDictionary {
  readonly bytes: Uint8Array
  readonly words: number
  readonly indexes: Int32Array
  readonly bitWidth: number
}

const MOST_WORDS = 32_768
/** After this many values it is clear whether they repeat. */
const TRIED = 2048
const NONE = -1
const HASH_FACTOR = 0x9e37_79b1
const HASHED_BYTES = 48
/**
 * How many other words each value may be compared with on average. Texts that differ only at their
 * beginnings need more.
 */
const MOST_COLLISIONS = 4

/** The memory in which words are looked up: the same for every column and row group. */
export class DictionaryMemory {
  readonly slots = new Int32Array(2 * MOST_WORDS)
  readonly starts = new Int32Array(MOST_WORDS)
  readonly ends = new Int32Array(MOST_WORDS)
  #indexes = new Int32Array(MOST_WORDS)

  indexesOf(count: number): Int32Array {
    if (this.#indexes.length < count) this.#indexes = new Int32Array(2 * count)
    return this.#indexes.subarray(0, count)
  }
}

/**
 * Null if a dictionary would not halve the column. `width`: bytes of each value, or null if each
 * is preceded by its length. Valid until the memory is used for the next one.
 */
export function dictionaryOf(
  { bytes, view, length, count }: ParquetValues,
  width: number | null,
  memory: DictionaryMemory,
): ParquetDictionary | null {
  if (count < 2) return null
  const { starts, ends } = memory
  const size = 2 * 2 ** Math.ceil(Math.log2(Math.min(count, MOST_WORDS)))
  const slots = memory.slots.subarray(0, size).fill(NONE)
  const indexes = memory.indexesOf(count)
  let collisions = 0
  let words = 0
  let wordBytes = 0
  let at = 0
  for (let value = 0; value < count; value++) {
    const end = at + (width ?? 4 + view.getInt32(at, true))
    const hash = hashOf(view, at, end)
    let slot = hash & (slots.length - 1)
    let word = slots[slot]!
    while (word !== NONE && !isSame(view, starts[word]!, ends[word]!, at, end)) {
      if (++collisions > MOST_COLLISIONS * count) return null
      slot = (slot + 1) & (slots.length - 1)
      word = slots[slot]!
    }
    if (word === NONE) {
      if (words === MOST_WORDS || (value >= TRIED && 2 * words > value)) return null
      word = words
      words += 1
      slots[slot] = word
      starts[word] = at
      ends[word] = end
      wordBytes += end - at
    }
    indexes[value] = word
    at = end
  }
  const bitWidth = Math.max(1, 32 - Math.clz32(words - 1))
  if (2 * (wordBytes + Math.ceil((count * bitWidth) / 8)) > length) return null
  const dictionary = Buffer.allocUnsafe(wordBytes)
  let to = 0
  for (let word = 0; word < words; word++) {
    to += bytes.copy(dictionary, to, starts[word], ends[word])
  }
  return { bytes: dictionary, words, indexes, bitWidth }
}

/**
 * Taken from the last bytes, which differ most; long values differ in length as well. Reads four
 * bytes at a time: no value has fewer, counting its length prefix.
 */
function hashOf(view: DataView, start: number, end: number): number {
  let hash = HASH_FACTOR ^ (end - start)
  for (let at = Math.max(start, end - HASHED_BYTES); at < end - 4; at += 4) {
    hash = mixed(hash, view.getInt32(at, true))
  }
  return mixed(mixed(hash, view.getInt32(end - 4, true)), 0)
}

function mixed(hash: number, four: number): number {
  const product = Math.imul(hash ^ four, HASH_FACTOR)
  return product ^ (product >>> 15)
}

function isSame(view: DataView, a: number, aEnd: number, b: number, bEnd: number): boolean {
  if (aEnd - a !== bEnd - b) return false
  for (let offset = aEnd - a - 4; offset > 0; offset -= 4) {
    if (view.getInt32(a + offset, true) !== view.getInt32(b + offset, true)) return false
  }
  return view.getInt32(a, true) === view.getInt32(b, true)
}
