import type { ParquetValues } from './parquet-values.ts'

/** Of a column: the different values, as in a page, and of every value which of them it is. */
export interface ParquetDictionary {
  readonly bytes: Uint8Array
  readonly words: number
  readonly indexes: Int32Array
  readonly bitWidth: number
}

const MOST_WORDS = 32_768
/** After so many values it is known whether they repeat. */
const TRIED = 2048
const NONE = -1

/**
 * Null where a dictionary would not halve the column. `width`: bytes of each value, or null where each
 * has its length in front.
 */
export function dictionaryOf(
  { bytes, view, length, count }: ParquetValues,
  width: number | null,
): ParquetDictionary | null {
  if (count < 2) return null
  const slots = new Int32Array(2 * 2 ** Math.ceil(Math.log2(Math.min(count, MOST_WORDS)))).fill(
    NONE,
  )
  const starts = new Int32Array(Math.min(count, MOST_WORDS) + 1)
  const ends = new Int32Array(starts.length)
  const indexes = new Int32Array(count)
  let words = 0
  let wordBytes = 0
  let at = 0
  for (let value = 0; value < count; value++) {
    const end = at + (width ?? 4 + view.getInt32(at, true))
    const hash = hashOf(bytes, at, end)
    let slot = hash & (slots.length - 1)
    let word = slots[slot]!
    while (word !== NONE && !isSame(bytes, starts[word]!, ends[word]!, at, end)) {
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

/** FNV-1a of the last bytes, which differ most; long values differ in their lengths as well. */
function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = 0x811c_9dc5 ^ (end - start)
  for (let at = Math.max(start, end - 48); at < end; at++) {
    hash = Math.imul(hash ^ bytes[at]!, 0x0100_0193)
  }
  return hash ^ (hash >>> 15)
}

function isSame(bytes: Buffer, a: number, aEnd: number, b: number, bEnd: number): boolean {
  if (aEnd - a !== bEnd - b) return false
  for (let offset = aEnd - a - 1; offset >= 0; offset--) {
    if (bytes[a + offset] !== bytes[b + offset]) return false
  }
  return true
}
