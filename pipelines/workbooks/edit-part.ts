import { setImmediate as nextTurn } from 'node:timers/promises'

import type { PartFlow } from '../readers/excel/archive/open-archive.ts'
import { toUtf8 } from '../readers/excel/xml/to-utf8.ts'
import type { XmlAttributes } from '../readers/excel/xml/xml-attributes.ts'
import { type XmlHandler, XmlScanner } from '../readers/excel/xml/xml-scanner.ts'

interface Edit {
  /** From the beginning of the part. */
  readonly from: number
  readonly to: number
  readonly text: string
}

/** The prefix of the element's name, with its colon. */
export const prefixOf = (attributes: XmlAttributes): string =>
  /^[^:]{0,200}:/.exec(attributes.tagName())?.[0] ?? ''

/** What is to be otherwise in a part, asked for by a handler while the part is scanned. */
export class PartEdits {
  #edits: Edit[] = []
  #scanner: XmlScanner | null = null
  #heldFrom: number | null = null

  watch(scanner: XmlScanner): void {
    this.#scanner = scanner
  }

  /** Before the tag at hand. */
  before(text: string): void {
    this.#add(this.#at, this.#at, text)
  }

  /** As the first thing in the element at hand. */
  inside(attributes: XmlAttributes, text: string): void {
    const closeAt = this.#placeOf(attributes, attributes.closeAt)
    if (attributes.isEmpty) {
      this.#add(closeAt, closeAt + '/>'.length, `>${text}</${attributes.tagName()}>`)
    } else this.#add(closeAt + 1, closeAt + 1, text)
  }

  /** `name`: its hash; `written`: with its prefix. */
  setAttribute(attributes: XmlAttributes, name: number, written: string, value: string): void {
    const index = attributes.find(name)
    if (index === -1) {
      const nameEnd = this.#placeOf(attributes, attributes.tagEnd)
      this.#add(nameEnd, nameEnd, ` ${written}="${value}"`)
      return
    }
    const from = this.#placeOf(attributes, attributes.start[index]!)
    this.#add(from, this.#placeOf(attributes, attributes.end[index]!), value)
  }

  /** From the tag at hand on, nothing is written until `drop`. */
  hold(): void {
    this.#heldFrom = this.#at
  }

  /** Takes out what was held, up to the end of the element that ends with the tag at hand. */
  drop(): void {
    const from = this.#heldFrom!
    this.#edits = this.#edits.filter((edit) => edit.from < from)
    this.#add(from, this.#scanner!.endOfClosing, '')
    this.#heldFrom = null
  }

  /** How far the part may be written. */
  get settled(): number {
    return this.#heldFrom ?? this.#at
  }

  /** How far no byte is needed any more, since whatever is held is taken out. */
  get passed(): number {
    return this.#at
  }

  /** The bytes with all edits so far; they are those from `from` on. */
  apply(bytes: Buffer, from: number): Buffer {
    if (this.#edits.length === 0) return bytes
    const pieces: Buffer[] = []
    let at = from
    for (const edit of this.#edits.toSorted((one, other) => one.from - other.from)) {
      // What was held may have begun in earlier bytes, which were let go.
      const until = Math.max(at, edit.from)
      pieces.push(bytes.subarray(at - from, until - from), Buffer.from(edit.text))
      at = edit.to
    }
    this.#edits = []
    pieces.push(bytes.subarray(at - from))
    return Buffer.concat(pieces)
  }

  /** The part is written as UTF-8, whatever it was. */
  declareUtf8(head: Buffer): void {
    const text = head.toString('latin1', 0, DECLARATION_BYTES)
    const declared = /^<\?xml[^>]{0,80}?encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(text)
    if (declared === null || /^utf-?8$/i.test(declared[1]!)) return
    const end = declared[0].length - 1
    this.#add(end - declared[1]!.length, end, 'UTF-8')
  }

  get #at(): number {
    return this.#scanner!.offset
  }

  #placeOf({ tagStart }: XmlAttributes, index: number): number {
    return this.#at + index - (tagStart - 1)
  }

  #add(from: number, to: number, text: string): void {
    this.#edits.push({ from, to, text })
  }
}

const DECLARATION_BYTES = 200

/** The part with what its handler changes; everything else stays byte by byte as it was. */
export async function* editedPart(
  part: PartFlow,
  createHandler: (edits: PartEdits) => XmlHandler,
): AsyncGenerator<Buffer> {
  try {
    const text = await toUtf8(part)
    const edits = new PartEdits()
    const scanner = new XmlScanner(createHandler(edits), part.part)
    edits.watch(scanner)
    let pending: Buffer = Buffer.alloc(0)
    let written = 0
    for (let chunk = await text.next(); chunk !== null; chunk = await text.next()) {
      if (written === 0 && pending.length === 0) edits.declareUtf8(chunk)
      scanner.feed(chunk)
      scanner.run()
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      const done = edits.settled - written
      if (done > 0) yield edits.apply(pending.subarray(0, done), written)
      const passed = edits.passed - written
      pending = pending.subarray(passed)
      written += passed
      await nextTurn()
    }
    scanner.finish()
    if (pending.length > 0) yield pending
  } finally {
    await part.close()
  }
}

/** Adds to the end of an element, wherever it is. */
export class Appending {
  readonly #edits: PartEdits
  readonly #element: number
  readonly #text: (prefix: string) => string
  #prefix: string | null = null

  constructor(edits: PartEdits, element: number, text: (prefix: string) => string) {
    this.#edits = edits
    this.#element = element
    this.#text = text
  }

  /** Whether the element has begun. */
  isFound = false

  open(name: number, attributes: XmlAttributes): void {
    if (name !== this.#element || this.isFound) return
    this.isFound = true
    const prefix = prefixOf(attributes)
    if (attributes.isEmpty) this.#edits.inside(attributes, this.#text(prefix))
    else this.#prefix = prefix
  }

  close(name: number): void {
    if (name !== this.#element || this.#prefix === null) return
    this.#edits.before(this.#text(this.#prefix))
    this.#prefix = null
  }
}
