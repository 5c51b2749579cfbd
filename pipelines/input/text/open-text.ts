import { EngineError } from '../../core/errors.ts'
import { fileMessages } from '../../core/file-messages.ts'
import type { ByteFlow, Input } from '../../core/input.ts'
import type { Learned, ReadContext } from '../../core/reader.ts'
import { createDecoder, type Decoder } from './decode.ts'
import { detectEncoding, type Encoding, givenEncoding, learnedEncoding } from './encoding.ts'
import type { TextOptions } from './text-options.ts'
import { inputTextMessages } from './messages.ts'

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
  for (const byte of head) {
    if (byte < 0x20 && (byte < 0x08 || byte > 0x0d) && byte !== 0x1a && byte !== 0x1b) controls++
  }
  if (controls > 8 && controls > head.length / 20) {
    const start = head.toString('hex', 0, 8).replaceAll(/..(?=.)/g, '$& ')
    throw new EngineError(inputTextMessages.binary({ start }), { kind: 'format' })
  }
}
