import { EngineError } from '../../core/errors.ts'
import type { XmlAttributes } from '../excel/xml/xml-attributes.ts'
import type { XmlHandler } from '../excel/xml/xml-scanner.ts'
import { localName } from './local-name.ts'
import { recordMessages } from './record-messages.ts'

type Value = string | null | readonly Value[] | { readonly [name: string]: Value }

/** An element inside a record, or the record itself. */
interface OpenElement {
  readonly name: string
  /** In the order in which they occur first. */
  readonly members: Map<string, Value[]>
  readonly attributes: readonly (readonly [name: string, value: string])[]
  readonly isNil: boolean
  text: string
}

/** Before the names of a record's attributes, among which there may be one of a child; no name has it. */
export const ATTRIBUTE = '@'

/** No table has as many columns: what a record has behind them is not kept, since it is written in one go. */
const MOST_MEMBERS = 10_000

const BLANK = /^\s*$/u

/**
 * Writes each record as a JSON object, on the line on which it begins: a member for every attribute
 * and child. Elements that repeat, and those that have children, are arrays and objects.
 */
export class RecordWriter implements XmlHandler {
  records = 0
  readonly #record: readonly string[]
  /** Whether the record may be anywhere, since only its name is given. */
  readonly #isAnywhere: boolean
  readonly #mostBytes: number
  readonly #lineNow: () => number
  readonly #path: string[] = []
  readonly #open: OpenElement[] = []
  #bytes = 0
  #line = 1
  #written: string[] = []

  constructor(path: string, mostBytes: number, lineNow: () => number) {
    this.#record = path.replace(/^\//, '').split('/').map(localName)
    this.#isAnywhere = this.#record.length === 1 && !path.startsWith('/')
    this.#mostBytes = mostBytes
    this.#lineNow = lineNow
  }

  /** What was written since it was last asked for. */
  take(): Buffer {
    const text = this.#written.join('')
    this.#written = []
    return Buffer.from(text)
  }

  open(_name: number, attributes: XmlAttributes): void {
    const name = localName(attributes.tagName())
    if (this.#open.length === 0) {
      this.#path.push(name)
      if (!this.#isRecord()) return
      this.#bytes = 0
      this.#goTo(this.#lineNow())
    }
    this.#open.push(this.#element(name, attributes))
  }

  close(): void {
    const element = this.#open.pop()
    if (element === undefined) {
      this.#path.pop()
      return
    }
    const parent = this.#open.at(-1)
    if (parent !== undefined) return this.#closeInside(element, parent)
    this.#path.pop()
    this.#writeRecord(element)
  }

  text(bytes: Buffer, start: number, end: number): void {
    const element = this.#open.at(-1)
    if (element === undefined) return
    this.#spend(end - start)
    element.text += bytes.toString('utf8', start, end)
  }

  #isRecord(): boolean {
    const [path, record] = [this.#path, this.#record]
    if (this.#isAnywhere) return path.at(-1) === record[0]
    return path.length === record.length && record.every((name, at) => name === path[at])
  }

  #element(name: string, attributes: XmlAttributes): OpenElement {
    const own: [string, string][] = []
    let isNil = false
    for (let at = 0; at < attributes.count; at++) {
      const written = attributes.nameOf(at)
      if (written === 'xmlns' || written.startsWith('xmlns:')) continue
      const value = attributes.value(at)
      this.#spend(value.length)
      if (written.startsWith('xsi:')) isNil ||= written === 'xsi:nil' && /^(?:true|1)$/.test(value)
      else own.push([localName(written), value])
    }
    return { name, members: new Map(), attributes: own, isNil, text: '' }
  }

  #closeInside(element: OpenElement, parent: OpenElement): void {
    const isCell = this.#open.length === 1
    if (isCell && parent.members.size > MOST_MEMBERS) return
    if (isCell && element.members.size === 0) {
      // A cell beside its attributes, which are columns of their own.
      add(parent, element.name, element.isNil ? null : element.text)
      for (const [name, value] of element.attributes) add(parent, `${element.name}@${name}`, value)
      return
    }
    add(parent, element.name, valueOf(element))
  }

  #writeRecord(element: OpenElement): void {
    const own: OpenElement = { ...element, members: new Map() }
    for (const [name, value] of element.attributes) add(own, `${ATTRIBUTE}${name}`, value)
    for (const [name, values] of element.members) for (const value of values) add(own, name, value)
    if (own.members.size === 0 || !BLANK.test(element.text)) add(own, element.name, element.text)
    this.records += 1
    this.#written.push(JSON.stringify(membersOf(own)), ' ')
  }

  #goTo(line: number): void {
    this.#written.push('\n'.repeat(line - this.#line))
    this.#line = line
  }

  #spend(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes <= this.#mostBytes) return
    throw new EngineError(recordMessages.longRecord({ most: this.#mostBytes }), {
      kind: 'limit',
      limit: 'cellBytes',
    })
  }
}

function add({ members }: OpenElement, name: string, value: Value): void {
  const values = members.get(name)
  if (values === undefined) members.set(name, [value])
  else values.push(value)
}

const membersOf = ({ members }: OpenElement): { [name: string]: Value } =>
  Object.fromEntries(
    [...members].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]),
  )

function valueOf(element: OpenElement): Value {
  if (element.isNil) return null
  const { members, attributes, text } = element
  if (members.size === 0 && attributes.length === 0) return text
  return {
    ...Object.fromEntries(attributes.map(([name, value]) => [`@${name}`, value])),
    ...membersOf(element),
    ...(!BLANK.test(text) && { '#text': text }),
  }
}
