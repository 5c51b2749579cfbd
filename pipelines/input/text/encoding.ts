import { isUtf8 } from 'node:buffer'

import { encodingNamed } from './code-pages/page-decoders.ts'
import { EngineError } from '../../core/errors.ts'
import { WESTERN_PAGE } from './code-pages/alphabets.ts'
import { judgeCodePage } from './code-pages/judge-code-page.ts'
import { inputTextMessages } from './messages.ts'
import { cutText, cutToEnd } from '../../core/cut-text.ts'
import type { Warning } from '../../core/warning.ts'

export interface Encoding {
  /** The canonical WHATWG name, or that of a DOS code page. */
  readonly name: string
  /** What speaks for it: `given`, `byte order mark`, `valid UTF-8`, `not UTF-8` ... */
  readonly evidence: string
  /** Whether later bytes may show that it is another one; otherwise they are faults of the file. */
  readonly isPresumed: boolean
  /** Code pages that would do as well, if it is in doubt. */
  readonly others: readonly string[]
  /** The length of the byte order mark, which is not content. */
  readonly markBytes: number
}

const MARKS = [
  { name: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { name: 'utf-16le', bytes: [0xff, 0xfe] },
  { name: 'utf-16be', bytes: [0xfe, 0xff] },
] as const

/** What the first bytes prove, otherwise UTF-8, otherwise the code page that they show. */
export function detectEncoding(head: Buffer, isWhole: boolean): Encoding {
  // Hardly a text has one, and looking for it takes no time.
  const hasZeros = head.includes(0)
  if (hasZeros && isUtf32(head)) {
    throw new EngineError(inputTextMessages.utf32(), { kind: 'format' })
  }
  const mark = markOf(head)
  if (mark !== null) return certain(mark.name, 'byte order mark', mark.length)
  const wide = hasZeros ? wideByZeroBytes(head) : null
  if (wide !== null) return certain(wide, 'zero bytes')
  const complete = isWhole ? head.length : head.length - unfinishedTail(head)
  if (isUtf8(head.subarray(0, complete))) {
    return { ...certain('utf-8', 'valid UTF-8'), isPresumed: true }
  }
  return { ...judgeCodePage(head), isPresumed: true, markBytes: 0 }
}

/** As an earlier pass learned it further on; what the first bytes say for another one is a doubt. */
export function learnedEncoding(name: string, head: Buffer): Encoding {
  const { name: found, others } = detectEncoding(head, false)
  const doubts = [found, ...others].filter((other) => other !== name && other !== 'utf-8')
  return {
    ...certain(name, found === 'utf-8' ? 'not UTF-8 further on' : `not ${found} further on`),
    isPresumed: true,
    others: name === WESTERN_PAGE.name ? doubts : [],
  }
}

export function givenEncoding(label: string, head: Buffer): Encoding {
  const name = encodingNamed(label)
  if (name === null) {
    throw new EngineError(inputTextMessages.unknownEncoding({ label }), {
      kind: 'options',
      pointer: '/encoding',
    })
  }
  const mark = markOf(head)
  return certain(name, 'given', mark?.name === name ? mark.length : 0)
}

const certain = (name: string, evidence: string, markBytes = 0): Encoding => ({
  name,
  evidence,
  isPresumed: false,
  others: [],
  markBytes,
})

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

/** A mark that would be followed by a NUL in UTF-16, or three zeros in most groups of four bytes. */
function isUtf32(head: Buffer): boolean {
  const groups = head.length >> 2
  const first = groups === 0 ? 1 : head.readUInt32BE(0)
  if (first === 0xfffe0000 || first === 0x0000feff) return true
  let low = 0
  let high = 0
  for (let at = 0; at < groups * 4; at += 4) {
    const group = head.readUInt32BE(at)
    if (group === 0) return false
    if (group <= 0xff) low++
    else if ((group & 0x00ffffff) === 0) high++
  }
  return Math.max(low, high) > groups * 0.5
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

/** Signs of text that was misread before it was sent. */
const SIGNS = [
  // `é` in UTF-8 that was once read as windows-1252.
  {
    sign: /Ã[\u0080-\u00bf\u0152-\u2122]|â€[\u0099™œ\u009d“”]/u,
    message: inputTextMessages.storedTwice,
  },
  // Quotes and dashes of windows-1252 that were once read as ISO 8859-1.
  { sign: /[\u0080-\u0084\u0086-\u009f]/u, message: inputTextMessages.storedTwice },
  { sign: /\ufffd/u, message: inputTextMessages.lettersLost },
]
/** In windows-1252, letters of DOS (é à è ç ê ù) and of old Macs (é è) become symbols like these. */
const NO_LETTERS = /[\u0081\u008d\u008f\u0090\u009d]|\p{L}[‚…Š‡ˆ—“‹Ž]\p{Ll}/u

interface ReadText {
  /** In UTF-8. */
  readonly head: Buffer
  readonly encoding: Encoding
}

/** For text that was read as windows-1252, or is UTF-8, and contains what no text contains. */
export function misreadWarnings({ head, encoding }: ReadText): Warning[] {
  const text = head.toString('utf8')
  const isGuessed = encoding.name === 'windows-1252' && encoding.isPresumed
  const pages = encoding.others
  if (pages.length > 0) return [inAnotherPage(text, pages)]
  const guessed = { sign: NO_LETTERS, message: inputTextMessages.notWindows1252 }
  for (const { sign, message } of isGuessed ? [guessed, ...SIGNS] : SIGNS) {
    const at = text.search(sign)
    if (at === -1) continue
    const sample = textAround(text, at)
    return [{ code: 'misread-characters', message: message({ sample }), line: lineOf(text, at) }]
  }
  return []
}

/** Of a text that words would be in another code page: the first line with a letter beyond ASCII. */
function inAnotherPage(text: string, pages: readonly string[]): Warning {
  const at = Math.max(0, text.search(/[^\0-\u007f]/u))
  const message = inputTextMessages.otherPages({ sample: textAround(text, at), pages })
  return {
    code: 'misread-characters',
    message,
    line: lineOf(text, at),
    remedies: pages.map((page) => ({
      options: { encoding: page },
      message: inputTextMessages.readIn({ page }),
      leaves: 0,
    })),
  }
}

const lineOf = (text: string, at: number) => text.slice(0, at).split(/\r\n|\r|\n/).length

/** How many characters before and after are shown, so that people recognise the place. */
const SHOWN = 12

function textAround(text: string, at: number): string {
  const before = cutToEnd(text.slice(0, at), SHOWN).split(/[\r\n]/)
  const behind = cutText(text.slice(at), SHOWN).split(/[\r\n]/)
  return before.at(-1)! + behind[0]!
}

/**
 * How bytes begin if they are text of any encoding: as latin1, without a leading byte order mark
 * and white space, and without the zeros of UTF-16.
 */
export const beginningOf = (bytes: Buffer, mostBytes = bytes.length): string =>
  bytes
    .toString('latin1', 0, mostBytes)
    .replaceAll('\0', '')
    .replace(/^(?:ï»¿|ÿþ|þÿ|\s)+/, '')
