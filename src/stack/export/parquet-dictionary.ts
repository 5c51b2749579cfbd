import type { ParquetValues } from './parquet-values.ts'

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
