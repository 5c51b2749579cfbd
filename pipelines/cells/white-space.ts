import { type Batch, isValue, NULL_CELL } from '../core/batch.ts'

/**
 * Skips white space in UTF-8, as defined by JavaScript's `trim`. A cell of nothing else is blank;
 * around a typed value it is ignored.
 */
export function skipSpace(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end) {
    // A cell may be blanks by the megabyte: this loop is several times as fast as the one about it.
    while (at < end && bytes[at] === SPACE) at++
    const width = at < end ? spaceWidth(bytes, at, end) : 0
    if (width === 0) break
    at += width
  }
  return at
}

/** The end of the text without trailing white space. */
export function skipSpaceBack(bytes: Uint8Array, start: number, end: number): number {
  let at = end
  while (at > start) {
    while (at > start && bytes[at - 1] === SPACE) at--
    if (at === start) break
    const last = bytes[at - 1]!
    if (last < 0x80) {
      if (!isAsciiSpace(last)) break
      at -= 1
    } else if (at - 2 >= start && spaceWidth(bytes, at - 2, at) === 2) at -= 2
    else if (at - 3 >= start && spaceWidth(bytes, at - 3, at) === 3) at -= 3
    else break
  }
  return at
}

/** The number of bytes of the white space at `at`; 0 if there is none. */
export function spaceWidth(bytes: Uint8Array, at: number, end: number): 0 | 1 | 2 | 3 {
  const first = bytes[at]!
  if (first < 0x80) return isAsciiSpace(first) ? 1 : 0
  if (first === 0xc2) return at + 1 < end && bytes[at + 1] === 0xa0 ? 2 : 0
  if (first < 0xe1 || at + 2 >= end) return 0
  const second = bytes[at + 1]!
  const third = bytes[at + 2]!
  if (first === 0xe2) {
    // U+2000..200A, 2028, 2029, 202F; U+205F
    if (second === 0x80) {
      return third <= 0x8a || third === 0xa8 || third === 0xa9 || third === 0xaf ? 3 : 0
    }
    return second === 0x81 && third === 0x9f ? 3 : 0
  }
  if (first === 0xe1) return second === 0x9a && third === 0x80 ? 3 : 0 // U+1680
  if (first === 0xe3) return second === 0x80 && third === 0x80 ? 3 : 0 // U+3000
  return first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0 // U+FEFF
}

function isAsciiSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}

const SPACE = 0x20
const NON_ASCII = 0x80

/**
 * A row whose cells are all empty or white space is not a row of data: it is counted and left out.
 */
export function isBlankRow(batch: Batch, row: number): boolean {
  const { bytes, start, end, kinds, width } = batch
  const first = row * width
  for (let cell = first; cell < first + width; cell++) {
    const to = end[cell]!
    if (to === NULL_CELL) continue
    const from = start[cell]!
    if (from === to) continue
    if (kinds !== null && isValue(kinds[cell]!)) return false
    const byte = bytes[from]!
    if (byte > SPACE && byte < NON_ASCII) return false
    if (skipSpace(bytes, from, to) < to) return false
  }
  return true
}
