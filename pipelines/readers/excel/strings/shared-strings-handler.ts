import { EngineError } from '../../../core/errors.ts'
import type { XmlHandler } from '../xml/xml-scanner.ts'
import { xmlName } from '../xml/xml-name.ts'
import { decodeExcelEscapes } from './excel-escapes.ts'
import { excelMessages } from '../messages/excel-messages.ts'

const ITEM = xmlName('si')
const TEXT = xmlName('t')
const PHONETIC = xmlName('rPh')

const FIRST_BYTES = 64 * 1024
const FIRST_STRINGS = 4096
const INDEX_BYTES = 4

/** Joins the runs of each shared string, and stores the strings one after another. */
export class SharedStringsHandler implements XmlHandler {
  readonly #cellBytes: number
  #bytes: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #used = 0
  #ends = new Uint32Array(FIRST_STRINGS)
  #count = 0
  #itemStart = 0
  #runStart = 0
  #inText = false
  /** Phonetic hints for the text, which are not part of it. */
  #inPhonetic = false

  constructor(cellBytes: number) {
    this.#cellBytes = cellBytes
  }

  /** Counts complete strings only: taking them while a long one arrives would move that one each time. */
  get heldBytes(): number {
    return this.#itemStart + this.#count * INDEX_BYTES
  }

  /** The complete strings so far, until they are forgotten. */
  get held(): { readonly bytes: Buffer; readonly ends: Uint32Array } {
    return {
      bytes: this.#bytes.subarray(0, this.#itemStart),
      ends: this.#ends.subarray(0, this.#count),
    }
  }

  /** Starts again with what was read of the next string; keeps memory for `mostBytes` of strings. */
  forget(mostBytes: number): void {
    const unfinished = this.#bytes.subarray(this.#itemStart, this.#used)
    if (this.#bytes.length > mostBytes * 2) {
      this.#bytes = Buffer.allocUnsafeSlow(Math.max(mostBytes, unfinished.length * 2))
      this.#ends = new Uint32Array(FIRST_STRINGS)
    }
    unfinished.copy(this.#bytes)
    this.#runStart -= this.#itemStart
    this.#used = unfinished.length
    this.#itemStart = 0
    this.#count = 0
  }

  open(name: number): void {
    if (name === PHONETIC) this.#inPhonetic = true
    else if (name === TEXT) {
      this.#inText = !this.#inPhonetic
      this.#runStart = this.#used
    }
  }

  close(name: number): void {
    if (name === ITEM) this.#endItem()
    else if (name === PHONETIC) this.#inPhonetic = false
    else if (name === TEXT && this.#inText) {
      this.#used = decodeExcelEscapes(this.#bytes, this.#runStart, this.#used)
      this.#inText = false
    }
  }

  text(bytes: Buffer, start: number, end: number): void {
    if (!this.#inText) return
    const used = this.#used + end - start
    if (used - this.#itemStart > this.#cellBytes) {
      throw new EngineError(excelMessages.longText({ most: this.#cellBytes }), {
        kind: 'limit',
        limit: 'cellBytes',
      })
    }
    if (used > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(used, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, this.#used)
      this.#bytes = larger
    }
    bytes.copy(this.#bytes, this.#used, start, end)
    this.#used = used
  }

  #endItem(): void {
    if (this.#count === this.#ends.length) {
      const larger = new Uint32Array(this.#ends.length * 2)
      larger.set(this.#ends)
      this.#ends = larger
    }
    this.#ends[this.#count] = this.#used
    this.#count += 1
    this.#itemStart = this.#used
  }
}
