import { EngineError } from '../../../core/errors.ts'
import { PhysicalType, Repetition, type SchemaElement } from './file-metadata.ts'
import { type LogicalType, meaningOf } from './logical-type.ts'
import { parquetMessages } from '../messages/parquet-messages.ts'

/** How deep values may be nested. */
const MOST_DEPTH = 64
const MOST_LEVEL = 255

/** A column that has values of its own. */
export interface Leaf {
  /** Its position among the chunks of a row group. */
  readonly index: number
  readonly path: readonly string[]
  readonly type: PhysicalType
  readonly typeLength: number
  readonly meaning: LogicalType
  /** The definition level at which its value exists ... */
  readonly definition: number
  /** ... and the number of repeated nodes from the root down to it, including itself. */
  readonly repetition: number
}

export interface SchemaNode {
  readonly name: string
  readonly meaning: LogicalType
  readonly isRepeated: boolean
  readonly isOptional: boolean
  /** The level at which this node exists. */
  readonly definition: number
  readonly repetition: number
  /** Null for a group. */
  readonly leaf: Leaf | null
  readonly children: readonly SchemaNode[]
  /** The first leaf below it, or itself. */
  readonly firstLeaf: Leaf
}

/** A column of the future table. */
export interface TopColumn {
  readonly node: SchemaNode
  readonly leaves: readonly Leaf[]
  /** At most one value per row, and not nested. */
  readonly isFlat: boolean
}

/** The columns of the file, from the list of its nodes. */
export function columnsOf(schema: readonly SchemaElement[], mostColumns: number): TopColumn[] {
  const root = schema[0]
  if (root === undefined) throw new RangeError('there is no schema')
  if (root.children > mostColumns) throw tooManyColumns(root.children, mostColumns)
  const walk = new SchemaWalk(schema)
  return Array.from({ length: root.children }, () => {
    const firstLeaf = walk.leaves.length
    const node = walk.node({ definition: 0, repetition: 0 }, [])
    const leaves = walk.leaves.slice(firstLeaf)
    return { node, leaves, isFlat: node.leaf !== null && !node.isRepeated }
  })
}

class SchemaWalk {
  readonly leaves: Leaf[] = []
  readonly #schema: readonly SchemaElement[]
  #next = 1

  constructor(schema: readonly SchemaElement[]) {
    this.#schema = schema
  }

  node(above: { definition: number; repetition: number }, path: readonly string[]): SchemaNode {
    const element = this.#schema[this.#next]
    if (element === undefined || path.length > MOST_DEPTH) throw new RangeError('its schema')
    this.#next += 1
    const isRepeated = element.repetition === Repetition.repeated
    const isOptional = element.repetition === Repetition.optional
    const definition = above.definition + (isRepeated || isOptional ? 1 : 0)
    const repetition = above.repetition + (isRepeated ? 1 : 0)
    const own = { definition, repetition }
    const ownPath = [...path, element.name]
    const common = { name: element.name, meaning: meaningOf(element), isRepeated, isOptional }
    if (element.type !== undefined && element.children === 0) {
      const leaf = this.#leaf(element, element.type, own, ownPath)
      return { ...common, ...own, leaf, children: [], firstLeaf: leaf }
    }
    if (element.children < 1) throw new RangeError('a group without columns')
    const children = []
    for (let at = 0; at < element.children; at++) children.push(this.node(own, ownPath))
    return { ...common, ...own, leaf: null, children, firstLeaf: children[0]!.firstLeaf }
  }

  #leaf(
    element: SchemaElement,
    type: PhysicalType,
    levels: { definition: number; repetition: number },
    path: readonly string[],
  ): Leaf {
    const { typeLength } = element
    if (type > PhysicalType.fixedBytes || type < 0) throw new RangeError('a type is unknown')
    if (levels.definition > MOST_LEVEL) throw new RangeError('it is nested too deep')
    if (type === PhysicalType.fixedBytes && typeLength < 1)
      throw new RangeError('a length is missing')
    const leaf = { index: this.leaves.length, path, type, typeLength, ...levels }
    this.leaves.push({ ...leaf, meaning: meaningOf(element) })
    return this.leaves.at(-1)!
  }
}

function tooManyColumns(columns: number, most: number): EngineError {
  return new EngineError(parquetMessages.manyColumns({ columns, most }), {
    kind: 'limit',
    limit: 'columns',
  })
}
