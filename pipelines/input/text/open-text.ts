import { isUtf8 } from 'node:buffer'

import { EngineError } from '../../core/errors.ts'
import { fileMessages } from '../../core/file-messages.ts'
import type { ByteFlow, Input } from '../../core/input.ts'
import type { Learned, ReadContext } from '../../core/reader.ts'
import {
  detectEncoding,
  type Encoding,
  givenEncoding,
  learnedEncoding,
  characterBytes,
  unfinishedTail,
} from './encoding.ts'
import type { TextOptions } from './text-options.ts'
import { inputTextMessages } from './messages.ts'
import { createPageDecoder, type PageDecoder } from './code-pages/page-decoders.ts'
import { judgeCodePage } from './code-pages/judge-code-page.ts'

/** Refuses what is certainly not text, and detects the encoding. */
export function openText(
  { head, rest }: Input,
  { options, learned }: Pick<ReadContext<TextOptions>, 'options' | 'learned'>,
): TextInput {
  const { bytes, isWhole } = head
  if (bytes.length === 0) throw new EngineError(fileMessages.empty(), { kind: 'empty' })
  const encoding = encodingOf(bytes, isWhole, options.encoding, learned?.encoding)
  // Every second byte of UTF-16 looks like a control character.
  if (!encoding.name.startsWith('utf-16')) refuseBinary(bytes)
  return new TextInput(bytes.subarray(encoding.markBytes), isWhole, rest(), encoding)
}

function encodingOf(
  head: Buffer,
  isWhole: boolean,
  given: string | undefined,
  learned: string | undefined,
): Encoding {
  if (given !== undefined) return givenEncoding(given, head)
  if (learned === undefined) return detectEncoding(head, isWhole)
  return learnedEncoding(learned, head)
}

/**
 * The text of an input as UTF-8, without a byte order mark. It is pulled in pieces, or read into a
 * buffer of the reader; bytes can be put back. Closing it closes the input.
 */
export class TextInput implements ByteFlow {
  /** Its first characters, as far as the head of the input has them. `next` returns them, too. */
  readonly head: Buffer
  readonly isWhole: boolean
  readonly encoding: Encoding
  readonly #rest: ByteFlow
  readonly #decoder: Decoder
  /** The last one is returned first. */
  #pieces: Buffer[]
  #hasEnded = false

  constructor(
    head: Buffer,
    isWhole: boolean,
    rest: ByteFlow,
    encoding: Encoding,
    decoder: Decoder = createDecoder(encoding),
  ) {
    this.isWhole = isWhole
    this.encoding = encoding
    this.#rest = rest
    this.#decoder = decoder
    this.head = Buffer.concat(this.#decoder.decode(head))
    this.#pieces = this.head.length > 0 ? [this.head] : []
  }

  /** Set once bytes occurred that are invalid in the detected encoding. */
  get misjudged(): Learned | null {
    const { misjudged: encoding } = this.#decoder
    return encoding === null ? null : { encoding }
  }

  /** Nothing more will come. Known only after a call has reached the end. */
  get isOver(): boolean {
    return this.#hasEnded && this.#pieces.length === 0
  }

  async next(): Promise<Buffer | null> {
    for (;;) {
      const piece = this.#pieces.pop()
      if (piece !== undefined) return piece
      if (this.#hasEnded) return null
      const chunk = await this.#rest.next()
      this.#hasEnded = chunk === null
      this.#pieces = this.#decoder.decode(chunk).toReversed()
    }
  }

  /** Copies up to `most` bytes to `to`; fewer only if the text ends. */
  async readInto(to: Buffer, at: number, most: number): Promise<number> {
    let copied = 0
    while (copied < most) {
      const piece = await this.next()
      if (piece === null) break
      const taken = piece.copy(to, at + copied, 0, most - copied)
      copied += taken
      if (taken < piece.length) this.unread(piece.subarray(taken))
      else this.release(piece)
    }
    return copied
  }

  /** Puts bytes back, to be returned before anything else. */
  unread(bytes: Buffer): void {
    if (bytes.length > 0) this.#pieces.push(bytes)
  }

  release(bytes: Buffer): void {
    this.#rest.release?.(bytes)
  }

  close(): Promise<void> {
    return this.#rest.close()
  }
}

/** Refuses a file with more control characters than could be in a text by accident. */
function refuseBinary(head: Buffer): void {
  let controls = 0
  for (let at = 0; at < head.length; at++) {
    const byte = head[at]!
    if (byte < 0x20 && (byte < 0x08 || byte > 0x0d) && byte !== 0x1a && byte !== 0x1b) controls++
  }
  if (controls > 8 && controls > head.length / 20) {
    const start = head.toString('hex', 0, 8).replaceAll(/..(?=.)/g, '$& ')
    throw new EngineError(inputTextMessages.binary({ start }), { kind: 'format' })
  }
}

/** Converts chunks of any encoding to UTF-8. The output is valid and consists of whole characters. */
interface Decoder {
  /** Returns pieces, none of them empty. Called with null at the end, it returns what was held back. */
  decode(chunk: Buffer | null): readonly Buffer[]
  /** Set once bytes occurred that are invalid in the presumed encoding: the one that reads them. */
  readonly misjudged: string | null
}

function createDecoder(encoding: Encoding): Decoder {
  if (encoding.name !== 'utf-8') return transcoder(encoding)
  return encoding.isPresumed ? presumedUtf8() : declaredUtf8()
}

/**
 * Passes on whole characters; the beginning of one at the end of a chunk waits for its rest.
 * Everything else is passed on in place, so that the lender of the chunk gets its memory back.
 */
function wholeCharacters(): (chunk: Buffer | null) => Buffer[] {
  let begun: Buffer = Buffer.alloc(0)
  const split = (chunk: Buffer): Buffer => {
    const tail = unfinishedTail(chunk)
    begun = Buffer.from(chunk.subarray(chunk.length - tail))
    return chunk.subarray(0, chunk.length - tail)
  }
  return (chunk) => {
    const character = begun
    if (chunk === null || character.length === 0) {
      const whole = chunk === null ? character : split(chunk)
      return whole.length > 0 ? [whole] : []
    }
    const missing = characterBytes(character[0]!) - character.length
    const grown = Buffer.concat([character, chunk.subarray(0, missing)])
    if (chunk.length < missing) {
      begun = grown
      return []
    }
    const whole = split(chunk.subarray(missing))
    return whole.length > 0 ? [grown, whole] : [grown]
  }
}

/**
 * UTF-8, because the first bytes were. The first invalid bytes show that the file is in a code page:
 * the rest is read as such so that the pass can continue, and the engine then starts over.
 */
function presumedUtf8(): Decoder {
  const inCharacters = wholeCharacters()
  let page: PageDecoder | null = null
  let misjudged: string | null = null
  return {
    get misjudged() {
      return misjudged
    },
    decode: (chunk) =>
      inCharacters(chunk).map((bytes) => {
        if (page === null && isUtf8(bytes)) return bytes
        misjudged ??= judgeCodePage(bytes).name
        page ??= createPageDecoder(misjudged, { isForgiving: true })
        return Buffer.from(page.decode(bytes, { stream: true }), 'utf8')
      }),
  }
}

/** UTF-8, because the request or a byte order mark says so: anything else is a broken file. */
function declaredUtf8(): Decoder {
  const inCharacters = wholeCharacters()
  const lines = createLineCounter()
  return {
    misjudged: null,
    decode(chunk) {
      const pieces = inCharacters(chunk)
      for (const bytes of pieces) {
        if (!isUtf8(bytes)) throw notInEncoding('UTF-8', lines.lineAt(bytes, firstInvalid(bytes)))
        lines.pass(bytes)
      }
      return pieces
    },
  }
}

/**
 * Where the encoding was only presumed, bytes that mean nothing in it show that it is windows-1252,
 * in which every byte can be read; otherwise they are a fault of the file.
 */
function transcoder({ name, isPresumed }: Encoding): Decoder {
  let decoder = createPageDecoder(name)
  let misjudged: string | null = null
  const lines = createLineCounter()
  const textOf = (chunk: Buffer | null) => {
    try {
      return chunk === null ? decoder.decode() : decoder.decode(chunk, { stream: true })
    } catch (cause) {
      if (isPresumed && misjudged === null) {
        misjudged = 'windows-1252'
        decoder = createPageDecoder(misjudged)
        return chunk === null ? '' : decoder.decode(chunk, { stream: true })
      }
      const text = createPageDecoder(name, { isForgiving: true }).decode(chunk ?? undefined)
      const before = Buffer.from(text.slice(0, Math.max(0, text.indexOf('\ufffd'))), 'utf8')
      throw notInEncoding(name, lines.lineAt(before, before.length), cause)
    }
  }
  return {
    get misjudged() {
      return misjudged
    },
    decode(chunk) {
      const bytes = Buffer.from(textOf(chunk), 'utf8')
      lines.pass(bytes)
      return bytes.length > 0 ? [bytes] : []
    },
  }
}

function notInEncoding(encoding: string, line: number, cause?: unknown): EngineError {
  return new EngineError(
    inputTextMessages.notInEncoding({ line, encoding }),
    { kind: 'structure', line },
    { cause },
  )
}

/** Finds the character that makes the bytes invalid, by bisection. */
function firstInvalid(bytes: Buffer): number {
  let valid = 0
  let invalid = bytes.length
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1
    const part = bytes.subarray(0, middle)
    if (isUtf8(part.subarray(0, part.length - unfinishedTail(part)))) valid = middle
    else invalid = middle
  }
  return valid
}

const LF = 10
const CR = 13

interface LineCounter {
  pass(bytes: Buffer): void
  /** The line, counted from 1, of a position in bytes that have not been counted yet. */
  lineAt(bytes: Buffer, position: number): number
}

/** Counts line feeds, or carriage returns in a file that has had no line feed so far. */
function createLineCounter(): LineCounter {
  let feeds = 0
  let returns = 0
  const count = (bytes: Buffer) => {
    feeds += occurrences(bytes, LF)
    if (feeds === 0) returns += occurrences(bytes, CR)
  }
  return {
    pass: count,
    lineAt(bytes, position) {
      count(bytes.subarray(0, position))
      return 1 + (feeds > 0 ? feeds : returns)
    },
  }
}

function occurrences(bytes: Buffer, byte: number): number {
  let count = 0
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) count++
  return count
}
