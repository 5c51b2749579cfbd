import { EngineError } from '../../core/errors.ts'
import { formatPointer } from '../../json/pointer.ts'
import { LETTER_n, QUOTE } from './bytes.ts'
import type { DocumentWalker, ValueEvent } from './document-walker.ts'
import { readHeaderRow } from './header-row.ts'
import type { Lexer } from './lexer.ts'
import { nameOfValue } from './row-parser.ts'
import type { Message } from '../../core/message.ts'
import { jsonMessages } from './messages.ts'

/** Where the rows of an input are. */
export type RowsPlace =
  /** Every document is a row, or a feature: newline-delimited objects, or one bare object. */
  { readonly kind: 'documents'; readonly many: boolean; readonly areFeatures?: true } | RowsInside

/** Rows inside one document, and the keys and indexes that lead to them. */
export type RowsInside = {
  readonly path: readonly string[]
  /** Other arrays of objects that could be meant. */
  readonly others: readonly (readonly string[])[]
} & (
  | { readonly kind: 'array' }
  /** Texts, each a row of the only column, which has no name. */
  | { readonly kind: 'texts' }
  /** Objects whose own members are those of another object in them: `properties`, `attributes`. */
  | { readonly kind: 'features' }
  /** The rows are arrays. Their columns are named beside them or, if null, by the first row. */
  | { readonly kind: 'arrays'; readonly columns: readonly string[] | null }
  /** The members of an object, whose keys are cells, too. */
  | { readonly kind: 'members' }
)

/** The first of them that holds arrays counts. `data` is what pandas writes (`orient="split"`). */
const ROWS_KEYS: readonly string[] = ['rows', 'data']

export const isRowsKey = (key = ''): boolean => ROWS_KEYS.includes(key)

interface Candidate {
  readonly path: readonly string[]
  /** The depth of the elements' parent, the array itself. */
  readonly depth: number
  objects: number
}

/** Once an array of objects was found, only this much of the document is searched for a better one. */
const SEARCHED_BYTES = 4 * 1024 * 1024
/** Of the arrays that the rows may be so many are kept, and the best of all. */
const MOST_CANDIDATES = 100
/** How many keys of the first entry are compared with those of the others. */
const COMPARED_KEYS = 1000

/**
 * Finds the rows of an input that nobody has described. The rule, in this order:
 *
 * 1. A document that is an array: its elements. (Where they are no objects, rule 5.)
 * 2. An object that another document follows: every document is a row.
 * 3. An object with `columns`, which are names, and `rows` or `data`, which are arrays: those rows.
 * 4. Two objects or more under keys of one object, which holds nothing else: each of them. Where an
 *    array of objects is found as well, only if one of the others has a key of the first of them:
 *    an answer's wrapping has different things under its keys.
 * 5. One document in which an array of objects is found: the elements of that array. Of several the
 *    one with the shortest path, of those the one with most objects, of those the first in the
 *    text; what lies behind the first 4 MiB does not count. An array is one of objects by its first
 *    element that is not null.
 * 6. One object in which there is none: it is the only row. An array that begins with a text: each
 *    of its elements, in one column.
 *
 * It only looks: the reading of rows begins at the first byte again.
 */
export class RowsSearch {
  readonly #lexer: Lexer
  readonly #walker: DocumentWalker
  #rootIsArray = false
  #rootElement: Message | null = null
  #rootHoldsTexts = false
  #rootHasElements = false
  /** Arrays of objects with the shortest path so far, in the order of the text. */
  #candidates: Candidate[] = []
  /** The one of them that is being read. */
  #counting: Candidate | null = null
  /** The depth of an array whose first element has not been met yet, otherwise 0. */
  #undecided = 0
  /** The names in the document's `columns`; null if it has none, or they are something else. */
  #columns: readonly string[] | null = null
  /** Whether the next value is that of the document's key `columns`. */
  #atColumns = false
  /** Whether the elements of the document's `rows` or `data` are arrays, by the key. */
  readonly #areArrays = new Map<string, boolean>()
  #entries = 0
  #onlyEntries = true
  #entriesShareKey = false
  readonly #keysOfFirstEntry = new Set<string>()

  constructor(lexer: Lexer, walker: DocumentWalker) {
    this.#lexer = lexer
    this.#walker = walker
  }

  /** Goes through the contents of the window. Throws `MoreInputNeeded` if they do not decide it. */
  step(): RowsPlace {
    const { window } = this.#lexer
    for (;;) {
      if (this.#found && window.heldBytes > SEARCHED_BYTES) return this.#decide(false)
      if (this.#atColumns) this.#readColumns()
      const atRoot = this.#walker.depth === 0
      const event = this.#walker.next()
      if (event === 'end' || event === 'another') return this.#decide(event === 'another')
      if (event === 'close') this.#closed()
      else if (event === 'key') this.#metKey()
      else this.#met(event, atRoot)
      if (this.#candidates[0]?.path.length === 0) return this.#bestArray()
    }
  }

  #met(event: ValueEvent, atRoot: boolean): void {
    if (atRoot) {
      if (event === 'scalar') {
        const found = nameOfValue(this.#walker.firstByte)
        throw noRows(jsonMessages.documentIs({ found }))
      }
      this.#rootIsArray = event === 'array'
    }
    const parentDepth = this.#walker.depth - (event === 'scalar' ? 0 : 1)
    if (parentDepth === 1) this.#metInRoot(event)
    if (this.#undecided > 0 && parentDepth === this.#undecided) this.#judge(event)
    else if (event === 'object' && parentDepth === this.#counting?.depth) this.#counting.objects++
    if (event === 'array') this.#undecided = this.#walker.depth
  }

  #metInRoot(event: ValueEvent): void {
    this.#rootHasElements = true
    if (this.#rootIsArray) return
    if (event === 'object') this.#entries += 1
    else this.#onlyEntries = false
    if (event !== 'array') this.#metRows(this.#walker.token(1), false)
  }

  /** Of the first value of that key. */
  #metRows(key: string, areArrays: boolean): void {
    if (this.#rootIsArray || !isRowsKey(key)) return
    if (!this.#areArrays.has(key)) this.#areArrays.set(key, areArrays)
  }

  #metKey(): void {
    const { depth } = this.#walker
    if (this.#rootIsArray || depth > 2) return
    const key = this.#walker.token(depth)
    if (depth === 1) this.#atColumns = key === 'columns'
    else if (this.#entries > 1) this.#entriesShareKey ||= this.#keysOfFirstEntry.has(key)
    else if (this.#keysOfFirstEntry.size < COMPARED_KEYS) this.#keysOfFirstEntry.add(key)
  }

  #readColumns(): void {
    const lexer = this.#lexer
    lexer.line = lexer.window.line
    const header = readHeaderRow(lexer, lexer.skipSpace(lexer.window.pos))
    this.#columns = header?.names ?? null
    this.#atColumns = false
  }

  /** The first element of an array that is not null shows what kind of array it is. */
  #judge(event: ValueEvent): void {
    const { firstByte } = this.#walker
    if (firstByte === LETTER_n) return
    const depth = this.#undecided
    this.#undecided = 0
    if (depth === 1) {
      this.#rootElement = nameOfValue(firstByte)
      this.#rootHoldsTexts = firstByte === QUOTE
    }
    const path = this.#walker.path.slice(0, depth - 1)
    if (path.length === 1) this.#metRows(path[0]!, event === 'array')
    if (event !== 'object') return
    const shortest = this.#candidates[0]?.path.length ?? path.length
    if (path.length > shortest) return
    if (path.length < shortest) this.#candidates = []
    this.#counting = { path, depth, objects: 1 }
    this.#candidates.push(this.#counting)
    if (this.#candidates.length > 2 * MOST_CANDIDATES) this.#keepFew()
  }

  #keepFew(): void {
    const best = this.#best
    const few = this.#candidates.slice(0, MOST_CANDIDATES)
    this.#candidates = few.includes(best) ? few : [...few, best]
  }

  /** Of equals the first. */
  get #best(): Candidate {
    return this.#candidates.reduce((best, other) => (other.objects > best.objects ? other : best))
  }

  get #found(): boolean {
    return this.#candidates.length > 0 || this.#rowsKey !== null || this.#isEntries
  }

  /** The key of rows that are arrays, beside `columns`. */
  get #rowsKey(): string | null {
    if (this.#columns === null) return null
    return ROWS_KEYS.find((key) => this.#areArrays.get(key) === true) ?? null
  }

  get #isEntries(): boolean {
    if (this.#rootIsArray || !this.#onlyEntries || this.#entries < 2) return false
    return this.#candidates.length === 0 || this.#entriesShareKey
  }

  #closed(): void {
    const { depth } = this.#walker
    // Names but no rows: an empty table.
    if (depth === 1 && this.#undecided === 2) this.#metRows(this.#walker.token(1), true)
    if (depth < this.#undecided) this.#undecided = 0
    if (this.#counting !== null && depth < this.#counting.depth) this.#counting = null
  }

  #decide(another: boolean): RowsPlace {
    if (another && !this.#rootIsArray) return { kind: 'documents', many: true }
    const rowsKey = this.#rowsKey
    if (rowsKey !== null) return this.#columnsAndRows(rowsKey)
    if (this.#isEntries) return { kind: 'members', path: [], others: [] }
    if (this.#candidates.length > 0) return this.#bestArray()
    if (!this.#rootIsArray) return { kind: 'documents', many: false }
    if (this.#rootHoldsTexts && !another) return { kind: 'texts', path: [], others: [] }
    if (this.#rootElement === null) {
      throw this.#rootHasElements ? noRows(jsonMessages.onlyNull()) : emptyArray([])
    }
    throw noRows(jsonMessages.firstElementIs({ found: this.#rootElement }))
  }

  #columnsAndRows(rowsKey: string): RowsPlace {
    const others = this.#candidates.map(({ path }) => path).filter(([key]) => key !== rowsKey)
    return { kind: 'arrays', path: [rowsKey], columns: this.#columns, others }
  }

  #bestArray(): RowsPlace {
    const best = this.#best
    const others = this.#candidates.filter((other) => other !== best).map(({ path }) => path)
    return { kind: 'array', path: best.path, others }
  }
}

function noRows(found: Message): EngineError {
  return new EngineError(jsonMessages.noRows({ found }), { kind: 'structure' })
}

export function emptyArray(path: readonly string[]): EngineError {
  const text =
    path.length === 0
      ? jsonMessages.emptyArray()
      : jsonMessages.emptyArrayAt({ path: formatPointer(path) })
  return new EngineError(text, { kind: 'empty' })
}
