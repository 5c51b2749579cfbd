import type { EngineLimits } from '../../core/limits.ts'
import { TEXT_FAULT_MESSAGES } from '../../json/canonical.ts'
import type { BatchBuilder } from './batch-builder.ts'
import { ByteSink } from './byte-sink.ts'
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from './bytes.ts'
import type { Lexer } from './lexer.ts'
import { escape, unescape } from './string-escapes.ts'

/** A deeper limit than this is not honoured: nesting costs stack. */
const DEEPEST = 2000

/** Of one object: they have to be put in order while everything else waits. */
const MOST_MEMBERS = 200_000

/** Up to here insertion is the faster way to sort. */
const FEW_MEMBERS = 24
const CANNOT_TELL = 2

/** Where one member lies in what was made: `"key":value`. */
interface Member {
  readonly from: number
  readonly keyEnd: number
  to: number
}

/**
 * Writes objects and arrays as canonical JSON: no white space, keys sorted by UTF-16 code unit, of
 * duplicate keys the last, strings in their shortest form, numbers with the digits they came with.
 */
export class NestedValues {
  readonly #lexer: Lexer
  readonly #builder: BatchBuilder
  readonly #made: ByteSink
  readonly #maximumDepth: number
  readonly #mostBytes: number
  /** Where the value begins that is being written. */
  #begin = 0
  /** For what has to be written in another order, or unescaped and escaped again. */
  readonly #scratch = new ByteSink()

  constructor(lexer: Lexer, builder: BatchBuilder, { jsonDepth, cellBytes }: EngineLimits) {
    this.#lexer = lexer
    this.#builder = builder
    this.#made = builder.made
    this.#maximumDepth = Math.min(jsonDepth, DEEPEST)
    this.#mostBytes = cellBytes
  }

  /** Writes the value at `from` and answers where it ends. A row itself has depth 1. */
  write(from: number, depth: number): number {
    if (depth === 1) this.#begin = this.#made.length
    else this.#checkLength()
    const byte = this.#lexer.window.bytes[from]!
    if (byte === OPEN_OBJECT) return this.#object(from, this.#deeper(depth))
    if (byte === OPEN_ARRAY) return this.#array(from, this.#deeper(depth))
    if (byte === QUOTE) return this.#string(from)
    const to = this.#lexer.endOfScalar(from)
    this.#made.copy(this.#lexer.window.bytes, from, to)
    return to
  }

  /** Long before all of it is there. */
  #checkLength(): void {
    if (this.#made.length - this.#begin <= this.#mostBytes) return
    this.#lexer.exceeded('cellBytes', `one value is longer than ${this.#mostBytes} bytes`)
  }

  #deeper(depth: number): number {
    if (depth >= this.#maximumDepth) {
      this.#lexer.exceeded('jsonDepth', `nested more than ${this.#maximumDepth} deep`)
    }
    return depth + 1
  }

  #array(from: number, depth: number): number {
    const lexer = this.#lexer
    const made = this.#made
    const { bytes } = lexer.window
    made.push(OPEN_ARRAY)
    let p = lexer.skipSpace(from + 1)
    while (bytes[p] !== CLOSE_ARRAY) {
      p = lexer.skipSpace(this.write(p, depth))
      if (bytes[p] === COMMA) {
        made.push(COMMA)
        p = lexer.skipSpace(p + 1)
        if (bytes[p] === CLOSE_ARRAY) lexer.unexpected(p, 'a value')
      } else if (bytes[p] !== CLOSE_ARRAY) {
        lexer.unexpected(p, "',' or ']'")
      }
    }
    made.push(CLOSE_ARRAY)
    return p + 1
  }

  #object(from: number, depth: number): number {
    const lexer = this.#lexer
    const made = this.#made
    const { bytes } = lexer.window
    const members: Member[] = []
    made.push(OPEN_OBJECT)
    const first = made.length
    let p = lexer.skipSpace(from + 1)
    while (bytes[p] !== CLOSE_OBJECT) {
      if (bytes[p] !== QUOTE) lexer.unexpected(p, 'a key in double quotes')
      const member = { from: made.length, keyEnd: 0, to: 0 }
      p = lexer.skipSpace(this.#string(p))
      member.keyEnd = made.length
      if (bytes[p] !== COLON) lexer.unexpected(p, "':'")
      made.push(COLON)
      p = lexer.skipSpace(this.write(lexer.skipSpace(p + 1), depth))
      member.to = made.length
      if (members.push(member) > MOST_MEMBERS) {
        lexer.exceeded('jsonMembers', `an object with more than ${MOST_MEMBERS} members`)
      }
      if (bytes[p] === COMMA) {
        made.push(COMMA)
        p = lexer.skipSpace(p + 1)
        if (bytes[p] === CLOSE_OBJECT) lexer.unexpected(p, 'a key in double quotes')
      } else if (bytes[p] !== CLOSE_OBJECT) {
        lexer.unexpected(p, "',' or '}'")
      }
    }
    if (!this.#inOrder(members)) this.#sort(members, first)
    made.push(CLOSE_OBJECT)
    return p + 1
  }

  #string(from: number): number {
    const lexer = this.#lexer
    const made = this.#made
    const { bytes } = lexer.window
    const end = lexer.endOfString(from + 1)
    if (!lexer.escaped) {
      made.copy(bytes, from, end + 1)
      return end + 1
    }
    const scratch = this.#scratch
    scratch.length = 0
    const fault = unescape(bytes, from + 1, end, scratch)
    if (fault !== null) this.#builder.fault(TEXT_FAULT_MESSAGES[fault])
    made.push(QUOTE)
    escape(scratch.bytes, 0, scratch.length, made)
    made.push(QUOTE)
    return end + 1
  }

  #inOrder(members: readonly Member[]): boolean {
    for (let k = 1; k < members.length; k += 1) {
      if (this.#compare(members[k - 1]!, members[k]!) !== -1) return false
    }
    return true
  }

  /** The order of two keys, or `CANNOT_TELL`. */
  #compare(a: Member, b: Member): -1 | 0 | 1 | typeof CANNOT_TELL {
    const { bytes } = this.#made
    const lengthA = a.keyEnd - a.from - 2
    const lengthB = b.keyEnd - b.from - 2
    for (let i = 1; i <= lengthA && i <= lengthB; i += 1) {
      const byteA = bytes[a.from + i]!
      const byteB = bytes[b.from + i]!
      // Escapes, and characters beyond the basic plane, are not in the order of their bytes.
      if (byteA === BACKSLASH || byteB === BACKSLASH) return CANNOT_TELL
      if (byteA >= 0xee || byteB >= 0xee) return CANNOT_TELL
      if (byteA !== byteB) return byteA < byteB ? -1 : 1
    }
    if (lengthA === lengthB) return 0
    return lengthA < lengthB ? -1 : 1
  }

  #sort(members: readonly Member[], first: number): void {
    const made = this.#made
    const scratch = this.#scratch
    scratch.length = 0
    for (const member of this.#sortedByBytes(members) ?? this.#sortedByText(members)) {
      if (scratch.length > 0) scratch.push(COMMA)
      scratch.copy(made.bytes, member.from, member.to)
    }
    made.length = first
    made.copy(scratch.bytes, 0, scratch.length)
  }

  /** By insertion, without making strings of the keys; null where that does not do. */
  #sortedByBytes(members: readonly Member[]): Member[] | null {
    if (members.length > FEW_MEMBERS) return null
    const sorted: Member[] = []
    for (const member of members) {
      let at = sorted.length
      let order = -1
      while (at > 0) {
        order = this.#compare(sorted[at - 1]!, member)
        if (order === CANNOT_TELL) return null
        if (order <= 0) break
        at -= 1
      }
      // A later duplicate takes the place of an earlier one.
      if (at > 0 && order === 0) sorted[at - 1] = member
      else sorted.splice(at, 0, member)
    }
    return sorted
  }

  #sortedByText(members: readonly Member[]): Member[] {
    const byKey = new Map(
      members.map((member) => [
        JSON.parse(this.#made.bytes.toString('utf8', member.from, member.keyEnd)) as string,
        member,
      ]),
    )
    return [...byKey.keys()].toSorted().map((key) => byKey.get(key)!)
  }
}
