import { CellKind } from '../../../core/batch.ts'
import { EngineError } from '../../../core/errors.ts'
import type { ByteSink } from '../../byte-sink.ts'
import type { Leaf, SchemaNode, TopColumn } from '../file/schema-tree.ts'
import { JSON_TYPE, type RawValueWriter, valueWriter } from '../values/value-writer.ts'
import type { LeafCursor } from './leaf-cursor.ts'
import type { Cells, ReadColumn } from './table-column.ts'
import { parquetMessages } from '../messages/parquet-messages.ts'

/** The size of a row is known only after it was written. */
const ROWS_AT_ONCE = 64

/** A column of lists, maps or structures, written as JSON. */
export class NestedColumn implements ReadColumn {
  readonly name: string
  readonly stated = JSON_TYPE
  /** JSON has texts for all dates. */
  readonly isBeyondYears = false
  notANumber = 0
  readonly #node: SchemaNode
  readonly #leaves: readonly Leaf[]
  readonly #writers: ReadonlyMap<Leaf, RawValueWriter>
  readonly #mostCellBytes: number
  #cursors: readonly LeafCursor[] = []

  constructor({ node, leaves }: TopColumn, mostCellBytes: number) {
    this.name = node.name
    this.#node = node
    this.#leaves = leaves
    this.#writers = new Map(leaves.map((leaf) => [leaf, valueWriter(leaf)]))
    this.#mostCellBytes = mostCellBytes
  }

  begin(cursors: readonly LeafCursor[]): void {
    this.#cursors = cursors
  }

  /** JSON is text. */
  giveValues(): void {}

  async fill(): Promise<boolean> {
    let isThere = true
    for (const { index } of this.#leaves) isThere = (await this.#cursors[index]!.fill()) && isThere
    return isThere
  }

  async isOver(): Promise<boolean> {
    for (const { index } of this.#leaves) {
      const cursor = this.#cursors[index]!
      if ((await cursor.fill()) || cursor.hasEntry) return false
    }
    return true
  }

  rowsReady(): number {
    const ready = this.#leaves.map(({ index }) => this.#cursors[index]!.rowsReady)
    return Math.min(ROWS_AT_ONCE, ...ready)
  }

  write({ first, step, rows, start, end, kinds }: Cells, out: ByteSink): void {
    let cell = first
    for (let row = 0; row < rows; row++, cell += step) {
      const from = out.length
      this.#checkBegins()
      if (this.#isNull(this.#node)) {
        this.#passNull(this.#node)
        continue
      }
      this.#writeNode(this.#node, out)
      this.#checkLength(out.length - from)
      start[cell] = from
      end[cell] = out.length
      kinds[cell] = CellKind.json
    }
  }

  #cursorOf(node: SchemaNode): LeafCursor {
    return this.#cursors[node.firstLeaf.index]!
  }

  #isNull(node: SchemaNode): boolean {
    return node.isOptional && this.#cursorOf(node).definition < node.definition
  }

  /** All leaves of a row begin with it; where they do not, one of them has too many values. */
  #checkBegins(): void {
    for (const { index } of this.#leaves) {
      const cursor = this.#cursors[index]!
      if (!cursor.hasEntry || cursor.repetition !== 0) throw new RangeError('rows do not agree')
    }
  }

  /** A null, or a list without elements, has one entry in each leaf below, all of which say so. */
  #passNull(node: SchemaNode, definition = node.definition - 1): void {
    if (node.leaf === null) {
      for (const child of node.children) this.#passNull(child, definition)
      return
    }
    const cursor = this.#cursors[node.leaf.index]!
    if (cursor.definition !== definition) throw new RangeError('nulls do not agree')
    cursor.pass()
  }

  #writeNode(node: SchemaNode, out: ByteSink): void {
    if (this.#isNull(node)) {
      this.#passNull(node)
      out.ascii('null')
    } else if (node.isRepeated)
      this.#writeElements(node, out, '[]', () => this.#writeOne(node, out))
    else this.#writeOne(node, out)
  }

  #writeOne(node: SchemaNode, out: ByteSink): void {
    if (node.leaf !== null) this.#writeLeaf(node.leaf, out)
    else if (node.meaning.kind === 'list' && isList(node)) this.#writeList(node.children[0]!, out)
    else if (node.meaning.kind === 'map' && isMap(node)) this.#writeMap(node.children[0]!, out)
    else this.#writeGroup(node, out)
  }

  /** A repeated node goes on as long as entries repeat it. */
  #writeElements(node: SchemaNode, out: ByteSink, marks: string, write: () => void): void {
    const cursor = this.#cursorOf(node)
    out.ascii(marks[0]!)
    if (cursor.definition < node.definition) this.#passNull(node)
    else {
      const from = out.length
      write()
      while (cursor.hasEntry && cursor.repetition === node.repetition) {
        out.ascii(',')
        write()
        this.#checkLength(out.length - from)
      }
    }
    out.ascii(marks[1]!)
  }

  /** `list.element` or, as older programs wrote it, a repeated node that is itself the element. */
  #writeList(repeated: SchemaNode, out: ByteSink): void {
    const [only, ...others] = repeated.children
    const isElement =
      only === undefined || others.length > 0 || /^(array|.*_tuple)$/.test(repeated.name)
    this.#writeElements(repeated, out, '[]', () =>
      isElement ? this.#writeOne(repeated, out) : this.#writeNode(only, out),
    )
  }

  #writeMap(entries: SchemaNode, out: ByteSink): void {
    const [key, value] = entries.children
    this.#writeElements(entries, out, '{}', () => {
      this.#writeKey(key!, out)
      out.ascii(':')
      this.#writeNode(value!, out)
    })
  }

  #writeGroup({ children }: SchemaNode, out: ByteSink): void {
    const sorted = [...children.entries()].toSorted(([, a], [, b]) =>
      a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
    )
    for (const [at, [, child]] of sorted.entries()) {
      out.ascii(at === 0 ? '{' : ',')
      writeJsonText(child.name, out)
      out.ascii(':')
      this.#writeNode(child, out)
    }
    out.ascii('}')
  }

  /** Keys of JSON are texts, whatever their type was. */
  #writeKey(key: SchemaNode, out: ByteSink): void {
    const from = out.length
    this.#writeNode(key, out)
    if (out.bytes[from] === 0x22) return
    const text = out.bytes.toString('utf8', from, out.length)
    out.length = from
    writeJsonText(text, out)
  }

  #writeLeaf(leaf: Leaf, out: ByteSink): void {
    const cursor = this.#cursors[leaf.index]!
    const writer = this.#writers.get(leaf)!
    const from = out.length
    if (!cursor.hasEntry || cursor.isNull) throw new RangeError('values are missing')
    if (!writer.write(cursor.values, cursor.valueAt, out)) {
      this.notANumber += 1
      out.length = from
      out.ascii('null')
    } else if (writer.kind === CellKind.text || writer.kind === CellKind.exactDate) {
      const text = out.bytes.toString('utf8', from, out.length)
      out.length = from
      writeJsonText(text, out)
    }
    cursor.pass()
  }

  #checkLength(bytes: number): void {
    if (bytes <= this.#mostCellBytes) return
    throw new EngineError(
      parquetMessages.longCell({ column: this.name, most: this.#mostCellBytes }),
      { kind: 'limit', limit: 'cellBytes' },
    )
  }
}

function isList({ children }: SchemaNode): boolean {
  return children.length === 1 && children[0]!.isRepeated
}

function isMap(node: SchemaNode): boolean {
  return isList(node) && node.children[0]!.children.length === 2
}

function writeJsonText(text: string, out: ByteSink): void {
  const json = Buffer.from(JSON.stringify(text))
  out.copy(json, 0, json.length)
}
