import { isUtf8 } from 'node:buffer'

import { codePageNamed } from './code-pages.ts'
import { EngineError } from '../../core/errors.ts'
import { inputTextMessages } from './messages.ts'

type EncodingEvidence =
  | 'given'
  | 'byte order mark'
  | 'zero bytes'
  | 'valid UTF-8'
  | 'not UTF-8'
  /** The first bytes were UTF-8, but an earlier pass met others. */
  | 'not UTF-8 further on'

export interface Encoding {
  /** The canonical WHATWG name, or that of a DOS code page. */
  readonly name: string
  readonly evidence: EncodingEvidence
  /** The length of the byte order mark, which is not content. */
  readonly markBytes: number
}

const MARKS = [
  { name: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { name: 'utf-16le', bytes: [0xff, 0xfe] },
  { name: 'utf-16be', bytes: [0xfe, 0xff] },
] as const

/** No statistical guessing: what the first bytes prove, otherwise UTF-8, otherwise windows-1252. */
export function detectEncoding(head: Buffer, isWhole: boolean): Encoding {
  const mark = markOf(head)
  if (mark !== null) {
    return { name: mark.name, evidence: 'byte order mark', markBytes: mark.length }
  }
  const wide = wideByZeroBytes(head)
  if (wide !== null) return { name: wide, evidence: 'zero bytes', markBytes: 0 }
  const complete = isWhole ? head.length : head.length - unfinishedTail(head)
  return isUtf8(head.subarray(0, complete))
    ? { name: 'utf-8', evidence: 'valid UTF-8', markBytes: 0 }
    : { name: 'windows-1252', evidence: 'not UTF-8', markBytes: 0 }
}

export function givenEncoding(label: string, head: Buffer): Encoding {
  const name = canonicalName(label)
  const mark = markOf(head)
  return { name, evidence: 'given', markBytes: mark?.name === name ? mark.length : 0 }
}

function canonicalName(label: string): string {
  const page = codePageNamed(label)
  if (page !== null) return page
  try {
    return new TextDecoder(label).encoding
  } catch (cause) {
    throw new EngineError(
      inputTextMessages.unknownEncoding({ label }),
      { kind: 'options', pointer: '/encoding' },
      { cause },
    )
  }
}

/** How many bytes at the end begin a UTF-8 character without completing it. */
export function unfinishedTail(bytes: Buffer): number {
  const longest = Math.min(3, bytes.length)
  for (let tail = 1; tail <= longest; tail++) {
    const byte = bytes[bytes.length - tail]!
    if (byte < 0x80) return 0
    if (byte >= 0xc0) {
      return characterBytes(byte) > tail ? tail : 0
    }
  }
  return 0
}

/** The length of the UTF-8 character that begins with this byte, which is not ASCII. */
export function characterBytes(first: number): number {
  return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
}

/** Programs add a mark without checking whether there is one, so there may be several. */
function markOf(head: Buffer) {
  const isAt = (bytes: readonly number[], from: number) =>
    bytes.every((byte, index) => head[from + index] === byte)
  const mark = MARKS.find(({ bytes }) => isAt(bytes, 0))
  if (mark === undefined) return null
  let { length } = mark.bytes
  while (isAt(mark.bytes, length)) length += mark.bytes.length
  return { name: mark.name, length }
}

/** Latin text in UTF-16 has a zero in every second byte, and only there. */
function wideByZeroBytes(head: Buffer): 'utf-16le' | 'utf-16be' | null {
  const pairs = head.length >> 1
  if (pairs === 0) return null
  let first = 0
  let second = 0
  for (let at = 0; at < pairs * 2; at += 2) {
    if (head[at] === 0 && head[at + 1] !== 0) first++
    else if (head[at + 1] === 0 && head[at] !== 0) second++
  }
  if (second > pairs * 0.3 && first < pairs * 0.05) return 'utf-16le'
  if (first > pairs * 0.3 && second < pairs * 0.05) return 'utf-16be'
  return null
}
