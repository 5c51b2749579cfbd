import { EngineError } from '../../../core/errors.ts'
import { MAX_REFERENCE_BYTES, writeCharacter } from './references.ts'
import { XmlAttributes } from './xml-attributes.ts'
import { NAME_PRIME, NAME_SEED } from './xml-name.ts'
import type { Message } from '../../../core/message.ts'
import { xmlMessages } from './messages.ts'

/** Names arrive as hashes of the local name (`xmlName`): a prefix makes no difference. */
export interface XmlHandler {
  open(name: number, attributes: XmlAttributes): void
  close(name: number): void
  /**
   * A piece of text, with references decoded and line ends normalised. Text may come in any number
   * of pieces.
   */
  text(bytes: Buffer, start: number, end: number): void
}

const MAX_DEPTH = 256
const MAX_TAG_BYTES = 1024 * 1024

const TAB_TO_SPACE = 0x20
const LF = 0x0a
const CR = 0x0d
const EXCLAMATION = 0x21
const DOUBLE_QUOTE = 0x22
const AMPERSAND = 0x26
const SINGLE_QUOTE = 0x27
const SLASH = 0x2f
const COLON = 0x3a
const SEMICOLON = 0x3b
const LESS_THAN = 0x3c
const EQUALS = 0x3d
const GREATER_THAN = 0x3e
const QUESTION = 0x3f

/** The tag or reference continues in bytes that have not arrived. */
const INCOMPLETE = -1

const LINE_END = Buffer.from('\n')
const COMMENT = { opens: '<!--', closes: Buffer.from('-->'), isText: false }
const CDATA = { opens: '<![CDATA[', closes: Buffer.from(']]>'), isText: true }
const INSTRUCTION = { opens: '<?', closes: Buffer.from('?>'), isText: false }
type Section = typeof COMMENT

/**
 * Reads UTF-8 XML in pieces cut anywhere, without creating an object or a string for a tag. It
 * checks what a truncated or damaged part would violate (matching tags, a single root, everything
 * closed) and refuses a DTD, so that no entity can be declared.
 */
export class XmlScanner {
  readonly #handler: XmlHandler
  readonly #part: string
  readonly #attributes = new XmlAttributes()
  readonly #openNames = new Int32Array(MAX_DEPTH)
  /** The character that a reference stands for. */
  readonly #decoded = Buffer.alloc(4)
  #depth = 0
  #rootSeen = false
  #bytes: Buffer = Buffer.alloc(0)
  #position = 0
  #bytesBefore = 0
  #closedAt = 0
  #section: Section | null = null
  #paused = false
  /** How many line feeds stand before `counted` in the current bytes. */
  #feeds = 0
  #counted = 0

  /** `part`: the name of what is read, for messages. */
  constructor(handler: XmlHandler, part: string) {
    this.#handler = handler
    this.#part = part
  }

  /** Gives the scanner its next bytes; `run` must have consumed what it could of the last ones. */
  feed(chunk: Buffer): void {
    const rest = this.#bytes.subarray(this.#position)
    if (rest.length > MAX_TAG_BYTES) {
      throw new EngineError(xmlMessages.longTag(), {
        kind: 'limit',
        limit: 'xmlTag',
      })
    }
    this.#countFeeds(this.#position)
    this.#counted = 0
    this.#bytesBefore += this.#position
    this.#bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    this.#position = 0
  }

  /** For handlers: the line of the current token, counted from 1. */
  get line(): number {
    this.#countFeeds(this.#position)
    return this.#feeds + 1
  }

  /** For handlers: where the current token begins; after `run`: how far it has come. */
  get offset(): number {
    return this.#bytesBefore + this.#position
  }

  /** For handlers: where the element ends that is being closed. */
  get endOfClosing(): number {
    return this.#bytesBefore + this.#closedAt
  }

  #countFeeds(end: number): void {
    let at = this.#bytes.indexOf(LF, this.#counted)
    for (; at !== -1 && at < end; at = this.#bytes.indexOf(LF, at + 1)) this.#feeds += 1
    this.#counted = end
  }

  /** Scans until a handler pauses it (true) or it needs more bytes (false). */
  run(): boolean {
    this.#paused = false
    this.#attributes.bytes = this.#bytes
    while (!this.#paused) {
      const next = this.#section === null ? this.#token(this.#position) : this.#sectionText()
      if (next === INCOMPLETE) return false
      this.#position = next
    }
    return true
  }

  /** For handlers: stop after this token. */
  pause(): void {
    this.#paused = true
  }

  /** To be called after the last byte. */
  finish(): void {
    const rest = this.#bytes.subarray(this.#position)
    if (this.#depth > 0 || !this.#rootSeen || this.#section !== null || !isBlank(rest)) {
      throw this.#broken(xmlMessages.endsEarly())
    }
  }

  #token(at: number): number {
    const bytes = this.#bytes
    if (at >= bytes.length) return INCOMPLETE
    if (bytes[at] !== LESS_THAN) return this.#text(at)
    if (at + 1 >= bytes.length) return INCOMPLETE
    const second = bytes[at + 1]!
    if (second === SLASH) return this.#closeTag(at)
    if (second === EXCLAMATION || second === QUESTION) return this.#beginSection(at)
    return this.#openTag(at)
  }

  #text(from: number): number {
    const bytes = this.#bytes
    const length = bytes.length
    let at = from
    while (at < length) {
      const byte = bytes[at]!
      if (byte === LESS_THAN || byte === AMPERSAND || byte === CR) break
      at += 1
    }
    if (at > from) {
      this.#emit(bytes, from, at)
      return at
    }
    return bytes[at] === CR ? this.#lineEnd(at) : this.#reference(at)
  }

  /** XML reads CR and CR LF as LF. */
  #lineEnd(at: number): number {
    if (at + 1 >= this.#bytes.length) return INCOMPLETE
    if (this.#bytes[at + 1] !== LF) this.#emit(LINE_END, 0, 1)
    return at + 1
  }

  #reference(at: number): number {
    const bytes = this.#bytes
    const limit = Math.min(bytes.length, at + MAX_REFERENCE_BYTES)
    let end = at + 1
    while (end < limit && bytes[end] !== SEMICOLON) end += 1
    if (end === at + MAX_REFERENCE_BYTES) throw this.#broken(xmlMessages.loneAmpersand())
    if (end === bytes.length) return INCOMPLETE
    this.#emit(this.#decoded, 0, writeCharacter(bytes, at + 1, end, this.#decoded))
    return end + 1
  }

  #emit(bytes: Buffer, start: number, end: number): void {
    if (this.#depth > 0) this.#handler.text(bytes, start, end)
    else if (!isBlank(bytes.subarray(start, end))) throw this.#broken(xmlMessages.textOutside())
  }

  #closeTag(at: number): number {
    const bytes = this.#bytes
    const length = bytes.length
    let full = NAME_SEED
    let local = NAME_SEED
    let end = at + 2
    for (; ; end += 1) {
      if (end >= length) return INCOMPLETE
      const byte = bytes[end]!
      if (byte === GREATER_THAN || byte <= TAB_TO_SPACE) break
      full = Math.imul(full ^ byte, NAME_PRIME)
      local = byte === COLON ? NAME_SEED : Math.imul(local ^ byte, NAME_PRIME)
    }
    end = this.#skipBlanks(end)
    if (end >= length) return INCOMPLETE
    if (bytes[end] !== GREATER_THAN) throw this.#broken(xmlMessages.closingTag())
    if (this.#depth === 0 || this.#openNames[this.#depth - 1] !== full) {
      throw this.#broken(xmlMessages.closesNothing())
    }
    this.#depth -= 1
    this.#closedAt = end + 1
    this.#handler.close(local)
    return end + 1
  }

  #openTag(at: number): number {
    const bytes = this.#bytes
    const length = bytes.length
    let full = NAME_SEED
    let local = NAME_SEED
    let end = at + 1
    for (; ; end += 1) {
      if (end >= length) return INCOMPLETE
      const byte = bytes[end]!
      if (byte === GREATER_THAN || byte === SLASH || byte <= TAB_TO_SPACE) break
      full = Math.imul(full ^ byte, NAME_PRIME)
      local = byte === COLON ? NAME_SEED : Math.imul(local ^ byte, NAME_PRIME)
    }
    if (end === at + 1) throw this.#broken(xmlMessages.loneBracket())
    this.#attributes.count = 0
    this.#attributes.tagStart = at + 1
    this.#attributes.tagEnd = end
    for (;;) {
      end = this.#skipBlanks(end)
      if (end >= length) return INCOMPLETE
      const byte = bytes[end]!
      if (byte === GREATER_THAN) {
        this.#attributes.closeAt = end
        this.#attributes.isEmpty = false
        this.#push(full)
        this.#handler.open(local, this.#attributes)
        return end + 1
      }
      if (byte === SLASH) {
        if (end + 1 >= length) return INCOMPLETE
        if (bytes[end + 1] !== GREATER_THAN) throw this.#broken(xmlMessages.loneSlash())
        this.#attributes.closeAt = end
        this.#attributes.isEmpty = true
        this.#push(full)
        this.#handler.open(local, this.#attributes)
        this.#depth -= 1
        this.#closedAt = end + 2
        this.#handler.close(local)
        return end + 2
      }
      end = this.#attribute(end)
      if (end === INCOMPLETE) return INCOMPLETE
    }
  }

  #attribute(at: number): number {
    const bytes = this.#bytes
    const length = bytes.length
    let name = NAME_SEED
    let end = at
    for (; ; end += 1) {
      if (end >= length) return INCOMPLETE
      const byte = bytes[end]!
      if (byte === EQUALS || byte <= TAB_TO_SPACE) break
      if (byte === GREATER_THAN || byte === LESS_THAN) throw this.#broken(xmlMessages.noValue())
      name = byte === COLON ? NAME_SEED : Math.imul(name ^ byte, NAME_PRIME)
    }
    const nameEnd = end
    end = this.#skipBlanks(end)
    if (end >= length) return INCOMPLETE
    if (bytes[end] !== EQUALS) throw this.#broken(xmlMessages.noValue())
    end = this.#skipBlanks(end + 1)
    if (end >= length) return INCOMPLETE
    const quote = bytes[end]!
    if (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) {
      throw this.#broken(xmlMessages.noQuotes())
    }
    const start = end + 1
    for (end = start; ; end += 1) {
      if (end >= length) return INCOMPLETE
      const byte = bytes[end]!
      if (byte === quote) break
      if (byte === LESS_THAN) throw this.#broken(xmlMessages.bracketInAttribute())
    }
    this.#attributes.add(name, at, nameEnd, start, end)
    return end + 1
  }

  #push(name: number): void {
    if (this.#depth === 0 && this.#rootSeen) throw this.#broken(xmlMessages.twoRoots())
    if (this.#depth === MAX_DEPTH) {
      throw new EngineError(xmlMessages.nested({ most: MAX_DEPTH }), {
        kind: 'limit',
        limit: 'xmlDepth',
      })
    }
    this.#rootSeen = true
    this.#openNames[this.#depth] = name
    this.#depth += 1
  }

  #skipBlanks(at: number): number {
    let end = at
    while (end < this.#bytes.length && this.#bytes[end]! <= TAB_TO_SPACE) end += 1
    return end
  }

  #beginSection(at: number): number {
    const opening = this.#bytes.toString('latin1', at, at + CDATA.opens.length)
    for (const section of [INSTRUCTION, COMMENT, CDATA]) {
      if (opening.startsWith(section.opens)) {
        this.#section = section
        return at + section.opens.length
      }
      if (section.opens.startsWith(opening)) return INCOMPLETE
    }
    if ('<!DOCTYPE'.startsWith(opening)) {
      throw new EngineError(xmlMessages.documentType(), { kind: 'structure' })
    }
    throw this.#broken(xmlMessages.declaration())
  }

  #sectionText(): number {
    const { closes, isText } = this.#section!
    const found = this.#bytes.indexOf(closes, this.#position)
    // What may be the beginning of the closing mark waits for the bytes that follow.
    const known = found < 0 ? this.#bytes.length - closes.length + 1 : found
    if (isText && known > this.#position) this.#emit(this.#bytes, this.#position, known)
    if (found < 0) {
      this.#position = Math.max(this.#position, known)
      return INCOMPLETE
    }
    this.#section = null
    return found + closes.length
  }

  #broken(fault: Message): EngineError {
    const offset = this.#bytesBefore + this.#position
    const text = xmlMessages.damaged({ part: this.#part, offset, fault })
    return new EngineError(text, { kind: 'structure', offset })
  }
}

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte > TAB_TO_SPACE) return false
  return true
}
