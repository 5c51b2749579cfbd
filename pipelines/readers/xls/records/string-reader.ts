import { damagedWorkbook } from '../container/damaged-workbook.ts'
import { xlsMessages } from '../messages/xls-messages.ts'

/** The data of a record, or of one that continues it, as strings see it. */
interface Segment {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
}

const WIDE = 1
const PHONETIC = 4
const RICH = 8

/** Asks for the next segment; null if the record is not continued. */
type NextSegment = () => Promise<Segment | null>

/**
 * Reads strings of BIFF8, which the end of a record may cut anywhere. If characters are cut, the
 * next segment begins with another byte for their width.
 */
export class StringReader {
  readonly #next: NextSegment
  #segment: Segment
  #at: number

  constructor(first: Segment, next: NextSegment) {
    this.#segment = first
    this.#at = first.start
    this.#next = next
  }

  /** Whether anything is left of what was read so far. */
  get isDone(): boolean {
    return this.#at >= this.#segment.end
  }

  /** Whether nothing more follows; if something does, it is read. */
  async hasEnded(): Promise<boolean> {
    if (!this.isDone) return false
    const next = await this.#next()
    if (next === null) return true
    this.#segment = next
    this.#at = next.start
    return false
  }

  async uint16(): Promise<number> {
    await this.#need(2)
    const value = this.#segment.bytes.readUInt16LE(this.#at)
    this.#at += 2
    return value
  }

  async uint32(): Promise<number> {
    const low = await this.uint16()
    return low + (await this.uint16()) * 65_536
  }

  /** As UTF-8, passed to `write` piece by piece. */
  async text(characters: number, write: (piece: string) => void): Promise<void> {
    await this.#need(1)
    let flags = this.#segment.bytes[this.#at++]!
    const runs = (flags & RICH) === 0 ? 0 : await this.uint16()
    const phoneticBytes = (flags & PHONETIC) === 0 ? 0 : await this.uint32()
    let left = characters
    // A surrogate pair may be cut as well.
    let pending = ''
    while (left > 0) {
      if (this.isDone) {
        await this.#need(1)
        flags = this.#segment.bytes[this.#at++]!
      }
      const width = (flags & WIDE) === 0 ? 1 : 2
      const { bytes, end } = this.#segment
      const here = Math.min(left, Math.floor((end - this.#at) / width))
      if (here === 0) throw damagedWorkbook(xlsMessages.cutText())
      const to = this.#at + here * width
      const piece = pending + bytes.toString(width === 1 ? 'latin1' : 'utf16le', this.#at, to)
      const isCut = here < left && isHighSurrogate(piece.charCodeAt(piece.length - 1))
      pending = isCut ? piece.slice(-1) : ''
      write(isCut ? piece.slice(0, -1) : piece)
      this.#at = to
      left -= here
    }
    await this.pass(4 * runs + phoneticBytes)
  }

  async pass(length: number): Promise<void> {
    for (let left = length; left > 0;) {
      await this.#need(1)
      const here = Math.min(left, this.#segment.end - this.#at)
      this.#at += here
      left -= here
    }
  }

  async #need(length: number): Promise<void> {
    if (this.#at + length <= this.#segment.end) return
    if (!this.isDone) throw damagedWorkbook(xlsMessages.cutText())
    const next = await this.#next()
    if (next === null || next.end - next.start < length)
      throw damagedWorkbook(xlsMessages.cutText())
    this.#segment = next
    this.#at = next.start
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}
