import { EngineError } from '../../core/errors.ts'
import { formatPointer } from '../../json/pointer.ts'
import type { DocumentEvent, DocumentWalker, ValueEvent } from './document-walker.ts'
import { isRowsKey, type RowsInside } from './find-rows.ts'
import { readHeaderRow } from './header-row.ts'
import type { Lexer } from './lexer.ts'
import { nameOfValue } from './row-parser.ts'
import type { Message } from '../../core/message.ts'
import { jsonMessages } from './messages.ts'

/**
 * The way into the array (or object) of rows and out again. What is beside the way is walked
 * through, so that broken JSON before or after the rows is noticed, but it is not kept.
 */
export class RowsEntrance {
  readonly #lexer: Lexer
  readonly #walker: DocumentWalker
  readonly #path: readonly string[]
  readonly #wanted: 'array' | 'object'
  /** How many containers on the way are open. */
  #entered = 0
  /** The next value is that of `columns` beside the rows. */
  #atColumns = false
  #columns: readonly string[] | null = null
  #firstRowNames = false

  constructor(lexer: Lexer, walker: DocumentWalker, place: RowsInside) {
    this.#lexer = lexer
    this.#walker = walker
    this.#path = place.path
    this.#wanted = place.kind === 'members' ? 'object' : 'array'
  }

  /** What `columns` name that stand before the rows, which the path leads to. */
  get columnsBeside(): readonly string[] | null {
    return this.#columns
  }

  /** To be called where the first row is taken for the header, since none stood beside it so far. */
  firstRowNames(): void {
    this.#firstRowNames = true
  }

  /** Moves to the position after its opening bracket. */
  enter(): void {
    for (;;) {
      if (this.#atColumns) this.#readColumns()
      const event = this.#walker.next()
      if (event === 'key') this.#atColumns = this.#isColumnsBeside()
      else if (event === 'close') {
        if (this.#walker.depth < this.#entered) throw this.#leadsNowhere(this.#entered)
      } else if (isValue(event) && this.#isOnTheWay(event)) {
        if (this.#entered === this.#path.length) return this.#arrived(event)
        if (event === 'scalar') throw this.#leadsNowhere(this.#entered + 1)
        this.#entered += 1
      }
    }
  }

  #isColumnsBeside(): boolean {
    const { depth } = this.#walker
    const isBeside = depth === this.#entered && depth === this.#path.length
    return isBeside && isRowsKey(this.#path.at(-1)) && this.#walker.token(depth) === 'columns'
  }

  #readColumns(): void {
    const lexer = this.#lexer
    lexer.line = lexer.window.line
    this.#columns = readHeaderRow(lexer, lexer.skipSpace(lexer.window.pos))?.names ?? null
    this.#atColumns = false
  }

  #isOnTheWay(event: ValueEvent): boolean {
    const parentDepth = this.#walker.depth - (event === 'scalar' ? 0 : 1)
    if (parentDepth !== this.#entered) return false
    return parentDepth === 0 || this.#walker.token(parentDepth) === this.#path[parentDepth - 1]
  }

  #arrived(event: ValueEvent): void {
    if (event === this.#wanted) return
    const found = nameOfValue(this.#walker.firstByte)
    throw wrongPath(jsonMessages.pathIsNoArray({ path: formatPointer(this.#path), found }))
  }

  /** Goes from its closing bracket to the end of the input. */
  leave(): void {
    for (;;) {
      const event = this.#walker.next()
      if (event === 'end') return
      if (event === 'another') {
        this.#lexer.refuse(this.#lexer.window.pos, jsonMessages.afterRows())
      }
      if (event === 'close') this.#entered = Math.min(this.#entered, this.#walker.depth)
      else if (event === 'key') this.#metBehind()
    }
  }

  #metBehind(): void {
    this.#refuseSecondWay()
    if (!this.#firstRowNames || !this.#isColumnsBeside()) return
    this.#lexer.refuse(
      this.#lexer.window.pos,
      jsonMessages.columnsBehind({ rows: this.#path.at(-1)! }),
    )
  }

  /** Of duplicate keys the last one would count, but the rows of the first have already been read. */
  #refuseSecondWay(): void {
    const { depth } = this.#walker
    if (depth !== this.#entered || this.#walker.token(depth) !== this.#path[depth - 1]) return
    const path = formatPointer(this.#path.slice(0, depth))
    this.#lexer.refuse(this.#lexer.window.pos, jsonMessages.pathTwice({ path }))
  }

  /** `matched` values on the way were found, including the root; the next one was not. */
  #leadsNowhere(matched: number): EngineError {
    const parent = formatPointer(this.#path.slice(0, matched - 1))
    const missing = this.#path[matched - 1]!
    const path = formatPointer(this.#path)
    return wrongPath(
      parent === ''
        ? jsonMessages.pathLeadsNowhere({ path, missing })
        : jsonMessages.pathEndsAt({ path, missing, parent }),
    )
  }
}

const wrongPath = (message: Message): EngineError =>
  new EngineError(message, { kind: 'options', pointer: '/path' })

function isValue(event: DocumentEvent): event is ValueEvent {
  return event === 'object' || event === 'array' || event === 'scalar'
}
