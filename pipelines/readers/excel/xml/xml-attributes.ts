import { EngineError } from '../../../core/errors.ts'
import { decodeReferences } from './references.ts'
import { xmlMessages } from './messages.ts'

const MAX_ATTRIBUTES = 256

/** The attributes of the tag that was just opened: ranges in the scanner's buffer, valid until the handler returns. */
export class XmlAttributes {
  bytes: Buffer = Buffer.alloc(0)
  count = 0
  /** Hash of the local name. */
  readonly name = new Int32Array(MAX_ATTRIBUTES)
  readonly start = new Int32Array(MAX_ATTRIBUTES)
  readonly end = new Int32Array(MAX_ATTRIBUTES)

  add(name: number, start: number, end: number): void {
    if (this.count === MAX_ATTRIBUTES) {
      throw new EngineError(xmlMessages.manyAttributes({ most: MAX_ATTRIBUTES }), {
        kind: 'limit',
        limit: 'xmlAttributes',
      })
    }
    this.name[this.count] = name
    this.start[this.count] = start
    this.end[this.count] = end
    this.count += 1
  }

  /** The value with its references decoded, or null when there is no such attribute. */
  text(name: number): string | null {
    for (let index = 0; index < this.count; index += 1) {
      if (this.name[index] !== name) continue
      const raw = this.bytes.toString('utf8', this.start[index], this.end[index])
      return decodeReferences(raw)
    }
    return null
  }
}
