import { cutText } from '../core/cut-text.ts'
import type { SqlType } from '../core/plan.ts'
import { POSTGRES_EPOCH_DAYS } from '../dates/civil.ts'
import { viewOf } from '../encoders/copy-buffer.ts'
import { jsonText, nearlyNumeric } from '../encoders/json-text.ts'
import type { Span } from './bounds.ts'
import type { BytePattern } from './byte-pattern.ts'
import type { KnownTexts } from './known-texts.ts'

const DAY_MS = 86_400_000
const EPOCH_MS = POSTGRES_EPOCH_DAYS * DAY_MS
const LENGTH_BYTES = 4

/**
 * A value as rules see it, read from the bytes that are stored, so that a rule judges what a reader
 * will see. One for each column; what several rules ask is read once.
 */
export class CellValue {
  readonly sqlType: SqlType
  /** The text that it was read from; null: it is not known, or was a value already. */
  written: string | null = null
  #bytes: Buffer = Buffer.alloc(0)
  #view = viewOf(this.#bytes)
  #at = 0
  #length = 0
  #text: string | null = null

  constructor(sqlType: SqlType) {
    this.sqlType = sqlType
  }

  /** `at`: where the field begins, with its length. False: it is NULL. */
  look(bytes: Buffer, at: number): boolean {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes
      this.#view = viewOf(bytes)
    }
    this.#at = at
    this.#length = this.#view.getInt32(at)
    this.#text = null
    return this.#length >= 0
  }

  /** A text as it is; a number as a decimal with all of its digits. */
  get text(): string {
    this.#text ??= this.#readText()
    return this.#text
  }

  /**
   * A number as the nearest double, or near to it: what most comparisons need, without its text.
   * NaN: only the text tells.
   */
  get nearly(): number {
    const at = this.#at + LENGTH_BYTES
    return this.sqlType === 'bigint' ? this.#int64(at) : nearlyNumeric(this.#view, at)
  }

  /** How many bytes a text has. */
  get sizeBytes(): number {
    return this.#length
  }

  /** Of a number by `nearly`, of a moment by `instant`, of a text by its bytes; others have no size. */
  isWithin({ from, to }: Span): boolean {
    switch (this.sqlType) {
      case 'text':
        return this.#length >= from && this.#length <= to
      case 'bigint':
      case 'numeric': {
        const { nearly } = this
        return nearly >= from && nearly <= to
      }
      case 'date':
      case 'timestamptz': {
        const { instant } = this
        return instant >= from && instant <= to
      }
      default:
        return false
    }
  }

  /** Of a text; in characters, not bytes. */
  hasAtLeast(characters: number): boolean {
    return (
      this.#length >= characters && (this.#length >= 4 * characters || this.#count() >= characters)
    )
  }

  hasAtMost(characters: number): boolean {
    return (
      this.#length <= characters || (this.#length <= 4 * characters && this.#count() <= characters)
    )
  }

  /** All bytes but those that continue a character, four at a time. */
  #count(): number {
    const view = this.#view
    const to = this.#at + LENGTH_BYTES + this.#length
    let at = this.#at + LENGTH_BYTES
    let count = this.#length
    for (; at + 4 <= to; at += 4) {
      const four = view.getInt32(at)
      const continuing = (four >>> 7) & ~(four >>> 6) & 0x0101_0101
      if (continuing !== 0) count -= Math.imul(continuing, 0x0101_0101) >>> 24
    }
    for (; at < to; at++) if ((this.#bytes[at]! & 0xc0) === 0x80) count--
    return count
  }

  /** Of a text. */
  contains(pattern: BytePattern): boolean {
    const from = this.#at + LENGTH_BYTES
    return pattern.isIn(this.#bytes, from, from + this.#length)
  }

  /** The same, a piece at a time. */
  containsByPieces(pattern: BytePattern): Generator<void, boolean> {
    const from = this.#at + LENGTH_BYTES
    return pattern.isInByPieces(this.#bytes, from, from + this.#length)
  }

  /** Of a text. */
  isAmong(texts: KnownTexts): boolean {
    const from = this.#at + LENGTH_BYTES
    return texts.has(this.#bytes, from, from + this.#length)
  }

  /** Milliseconds since 1970, of a date or an instant. */
  get instant(): number {
    const at = this.#at + LENGTH_BYTES
    return this.sqlType === 'date'
      ? this.#view.getInt32(at) * DAY_MS + EPOCH_MS
      : this.#int64(at) / 1000 + EPOCH_MS
  }

  get isTrue(): boolean {
    return this.#bytes[this.#at + LENGTH_BYTES] === 1
  }

  /** For people. */
  get shown(): string {
    return this.sqlType === 'text'
      ? this.text
      : jsonText(this.sqlType, this.#bytes, this.#at)!.replaceAll('"', '')
  }

  /** The beginning of that. */
  shownUpTo(characters: number): string {
    if (this.sqlType !== 'text') return cutText(this.shown, characters)
    const from = this.#at + LENGTH_BYTES
    // A long text is not read for its beginning.
    const to = from + Math.min(this.#length, 4 * (characters + 1))
    return cutText(this.#bytes.toString('utf8', from, to), characters)
  }

  /** The double that is nearest to it. */
  #int64(at: number): number {
    return this.#view.getInt32(at) * 0x1_0000_0000 + this.#view.getUint32(at + 4)
  }

  #readText(): string {
    const from = this.#at + LENGTH_BYTES
    return this.sqlType === 'text'
      ? this.#bytes.toString('utf8', from, from + this.#length)
      : jsonText(this.sqlType, this.#bytes, this.#at)!
  }
}
