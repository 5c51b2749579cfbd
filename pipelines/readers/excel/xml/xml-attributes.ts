import { EngineError } from '../../../core/errors.ts'
import { decodeReferences } from './references.ts'
import { xmlMessages } from './messages.ts'
import { NAME_PRIME, NAME_SEED } from './xml-name.ts'

const MAX_ATTRIBUTES = 256

/** The attributes of the tag that was just opened: ranges in the scanner's buffer, valid until the handler returns. */
export class XmlAttributes {
  bytes: Buffer = Buffer.alloc(0)
  /** The name of the element, with its prefix. */
  tagStart = 0
  tagEnd = 0
  /** Where `>` or `/>` stands. */
  closeAt = 0
  /** There is nothing in the element, not even its end. */
  isEmpty = false
  count = 0
  /** Hash of the local name. */
  readonly name = new Int32Array(MAX_ATTRIBUTES)
  /** The name as it is written, with its prefix. */
  readonly nameStart = new Int32Array(MAX_ATTRIBUTES)
  readonly nameEnd = new Int32Array(MAX_ATTRIBUTES)
  readonly start = new Int32Array(MAX_ATTRIBUTES)
  readonly end = new Int32Array(MAX_ATTRIBUTES)

  add(name: number, nameStart: number, nameEnd: number, start: number, end: number): void {
    if (this.count === MAX_ATTRIBUTES) {
      throw new EngineError(xmlMessages.manyAttributes({ most: MAX_ATTRIBUTES }), {
        kind: 'limit',
        limit: 'xmlAttributes',
      })
    }
    this.name[this.count] = name
    this.nameStart[this.count] = nameStart
    this.nameEnd[this.count] = nameEnd
    this.start[this.count] = start
    this.end[this.count] = end
    this.count += 1
  }

  /** Its index, or -1. */
  find(name: number): number {
    for (let index = 0; index < this.count; index += 1) {
      if (this.name[index] === name) return index
    }
    return -1
  }

  /** The value with its references decoded, or null when there is no such attribute. */
  text(name: number): string | null {
    const index = this.find(name)
    return index < 0 ? null : this.value(index)
  }

  value(index: number): string {
    return decodeReferences(this.bytes.toString('utf8', this.start[index], this.end[index]))
  }

  /** The name of the element, and that of an attribute, with their prefixes. */
  tagName(): string {
    return this.bytes.toString('utf8', this.tagStart, this.tagEnd)
  }

  nameOf(index: number): string {
    return this.bytes.toString('utf8', this.nameStart[index], this.nameEnd[index])
  }

  /** The hash of the value, for comparison with `xmlName`. */
  word(index: number): number {
    const end = this.end[index]!
    let hash = NAME_SEED
    for (let at = this.start[index]!; at < end; at += 1) {
      hash = Math.imul(hash ^ this.bytes[at]!, NAME_PRIME)
    }
    return hash
  }

  /** Whether the value is written exactly like this. */
  isWritten(index: number, as: Uint8Array): boolean {
    const start = this.start[index]!
    if (this.end[index]! - start !== as.length) return false
    for (let at = 0; at < as.length; at += 1) if (this.bytes[start + at] !== as[at]) return false
    return true
  }
}
