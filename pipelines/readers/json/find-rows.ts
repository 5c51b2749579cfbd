import { EngineError } from '../../core/errors.ts'
import { formatPointer } from '../../json/pointer.ts'
import { LETTER_n } from './bytes.ts'
import type { DocumentWalker, ValueEvent } from './document-walker.ts'
import type { Lexer } from './lexer.ts'
import { nameOfValue } from './row-parser.ts'

/** Where the rows of an input are. */
export type RowsPlace =
  /** Every document is a row: newline-delimited objects, or one bare object. */
  | { readonly kind: 'documents'; readonly many: boolean }
  /** The elements of one array, by the keys and indexes that lead to it. */
  | {
      readonly kind: 'array'
      readonly path: readonly string[]
      /** Arrays of objects that have as good a place, and fewer objects. */
      readonly others: readonly (readonly string[])[]
    }

interface Candidate {
  readonly path: readonly string[]
  /** Depth of its elements' parent: the array itself. */
  readonly depth: number
  objects: number
}

/** Once an array of objects is known, no more of the document than this is looked at for a better. */
const SEARCHED_BYTES = 4 * 1024 * 1024

/**
 * Finds the rows of an input that nobody has described. The rule, in this order:
 *
 * 1. A document that is an array: its elements. (Where they are no objects, rule 3.)
 * 2. An object that another document follows: every document is a row.
 * 3. One document in which an array of objects is found: the elements of that array. Of several the
 *    one with the shortest path, of those the one with most objects, of those the first in the
 *    text; what lies behind the first 4 MiB does not count. An array is one of objects by its first
 *    element that is not null.
 * 4. One object in which there is none: it is the only row.
 *
 * It only looks: the reading of rows begins at the first byte again.
 */
export class RowsSearch {
  readonly #lexer: Lexer
  readonly #walker: DocumentWalker
  #rootIsArray = false
  #rootElement: string | null = null
  #rootHasElements = false
  /** Arrays of objects with the shortest path so far, in the order of the text. */
  #candidates: Candidate[] = []
  /** The one of them that is being read. */
  #counting: Candidate | null = null
  /** Depth of an array whose first element has not been met yet, else 0. */
  #undecided = 0

  constructor(lexer: Lexer, walker: DocumentWalker) {
    this.#lexer = lexer
    this.#walker = walker
  }

  /** Goes through what the window holds. Throws `MoreInputNeeded` where that does not decide it. */
  step(): RowsPlace {
    const { window } = this.#lexer
    for (;;) {
      if (this.#found && window.heldBytes > SEARCHED_BYTES) return this.#bestArray()
      const atRoot = this.#walker.depth === 0
      const event = this.#walker.next()
      if (event === 'end' || event === 'another') return this.#decide(event === 'another')
      if (event === 'close') this.#closed()
      else if (event !== 'key') this.#met(event, atRoot)
      if (this.#candidates[0]?.path.length === 0) return this.#bestArray()
    }
  }

  #met(event: ValueEvent, atRoot: boolean): void {
    if (atRoot) {
      if (event === 'scalar') throw noRows(`the document is ${nameOfValue(this.#walker.firstByte)}`)
      this.#rootIsArray = event === 'array'
    }
    const parentDepth = this.#walker.depth - (event === 'scalar' ? 0 : 1)
    if (parentDepth === 1) this.#rootHasElements = true
    if (this.#undecided > 0 && parentDepth === this.#undecided) this.#judge(event)
    else if (event === 'object' && parentDepth === this.#counting?.depth) this.#counting.objects++
    if (event === 'array') this.#undecided = this.#walker.depth
  }

  /** The first element of an array that is not null says what kind of array it is. */
  #judge(event: ValueEvent): void {
    const { firstByte } = this.#walker
    if (firstByte === LETTER_n) return
    const depth = this.#undecided
    this.#undecided = 0
    if (depth === 1) this.#rootElement = nameOfValue(firstByte)
    const path = this.#walker.path.slice(0, depth - 1)
    if (event !== 'object') return
    const shortest = this.#candidates[0]?.path.length ?? path.length
    if (path.length > shortest) return
    if (path.length < shortest) this.#candidates = []
    this.#counting = { path, depth, objects: 1 }
    this.#candidates.push(this.#counting)
  }

  get #found(): boolean {
    return this.#candidates.length > 0
  }

  #closed(): void {
    const { depth } = this.#walker
    if (depth < this.#undecided) this.#undecided = 0
    if (this.#counting !== null && depth < this.#counting.depth) this.#counting = null
  }

  #decide(another: boolean): RowsPlace {
    if (another && !this.#rootIsArray) return { kind: 'documents', many: true }
    if (this.#found) return this.#bestArray()
    if (!this.#rootIsArray) return { kind: 'documents', many: false }
    if (this.#rootElement === null) {
      throw this.#rootHasElements ? noRows('the array holds nothing but null') : emptyArray([])
    }
    throw noRows(`the first element of the array is ${this.#rootElement}`)
  }

  #bestArray(): RowsPlace {
    let best = this.#candidates[0]!
    for (const other of this.#candidates) if (other.objects > best.objects) best = other
    const others = this.#candidates.filter((other) => other !== best).map(({ path }) => path)
    return { kind: 'array', path: best.path, others }
  }
}

export function noRows(found: string): EngineError {
  return new EngineError(
    `No rows in this JSON: ${found}. Rows are objects: in an array, one after the other, or in an ` +
      'array inside a document, which `path` can name.',
    { kind: 'structure' },
  )
}

export function emptyArray(path: readonly string[]): EngineError {
  const place = path.length === 0 ? 'The JSON array' : `The JSON array at ${formatPointer(path)}`
  return new EngineError(`${place} is empty: it has no rows, and so no columns.`, { kind: 'empty' })
}
