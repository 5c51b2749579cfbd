import type { EngineLimits } from '../../core/limits.ts'
import { TEXT_FAULT_MESSAGES } from '../../json/text-faults.ts'
import { ByteSink } from '../byte-sink.ts'
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
import type { CellSink } from './cell-sink.ts'
import type { Lexer } from './lexer.ts'
import { MemberList } from './member-list.ts'
import { escape, unescape } from './string-escapes.ts'
import { jsonSyntaxMessages } from './syntax-messages.ts'

/** A higher limit than this is not respected, since nesting uses the stack. */
const DEEPEST = 2000

/** The most members of one object: sorting and comparing them makes everything else wait. */
export const MOST_MEMBERS = 200_000

/**
 * How many times the longest value may be rewritten in another order. A long text inside many
 * nested objects, none of them in order, is rewritten for each of them, while everything else
 * waits.
 */
const MOST_TIMES_AGAIN = 16

/** Up to this number, insertion sort is faster. */
const FEW_MEMBERS = 24
const CANNOT_TELL = 2
const CANNOT_SORT = -1

/** Where the text is written. */
type TextSink = Pick<CellSink, 'made' | 'fault'>

/**
 * For objects of which only a part is kept: returns which members, of those from `first` on, or
 * null for all. They are in `written`.
 */
export type KeptMembers = (
  written: Buffer,
  members: MemberList,
  first: number,
) => readonly number[] | null

/**
 * Writes objects and arrays as canonical JSON: without white space, keys sorted by UTF-16 code
 * unit, the last of duplicate keys, strings in their shortest form, numbers with their original
 * digits.
 */
export class NestedValues {
  readonly #lexer: Lexer
  readonly #sink: TextSink
  readonly #kept: KeptMembers | null
  readonly #made: ByteSink
  readonly #maximumDepth: number
  readonly #mostBytes: number
  /** How many bytes of the value were rewritten. */
  #bytesAgain = 0
  /** Where the current value begins. */
  #begin = 0
  /** For what has to be written in another order, or unescaped and escaped again. */
  readonly #scratch = new ByteSink()
  readonly #members = new MemberList()
  /** Members in the order of their keys. */
  readonly #order = new Int32Array(FEW_MEMBERS)

  constructor(
    lexer: Lexer,
    sink: TextSink,
    { jsonDepth, cellBytes }: EngineLimits,
    kept: KeptMembers | null = null,
  ) {
    this.#lexer = lexer
    this.#sink = sink
    this.#kept = kept
    this.#made = sink.made
    this.#maximumDepth = Math.min(jsonDepth, DEEPEST)
    this.#mostBytes = cellBytes
  }

  /** Writes the value at `from` and returns where it ends. A row itself has depth 1. */
  write(from: number, depth: number): number {
    if (depth === 1) {
      this.#begin = this.#made.length
      this.#bytesAgain = 0
      // The previous value may have been interrupted.
      this.#members.count = 0
    } else this.#checkLength()
    const byte = this.#lexer.window.bytes[from]!
    if (byte === OPEN_OBJECT) return this.#object(from, this.#deeper(depth))
    if (byte === OPEN_ARRAY) return this.#array(from, this.#deeper(depth))
    if (byte === QUOTE) return this.#string(from)
    const to = this.#lexer.endOfScalar(from)
    this.#made.copy(this.#lexer.window.bytes, from, to)
    return to
  }

  /** Checked long before the whole value is written. */
  #checkLength(): void {
    if (this.#made.length - this.#begin <= this.#mostBytes) return
    this.#lexer.exceeded('cellBytes', jsonSyntaxMessages.longValue({ most: this.#mostBytes }))
  }

  #deeper(depth: number): number {
    if (depth >= this.#maximumDepth) {
      this.#lexer.exceeded('jsonDepth', jsonSyntaxMessages.nested({ most: this.#maximumDepth }))
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
        if (bytes[p] === CLOSE_ARRAY) lexer.unexpected(p, jsonSyntaxMessages.value())
      } else if (bytes[p] !== CLOSE_ARRAY) {
        lexer.unexpected(p, jsonSyntaxMessages.commaOr({ sign: ']' }))
      }
    }
    made.push(CLOSE_ARRAY)
    return p + 1
  }

  #object(from: number, depth: number): number {
    const lexer = this.#lexer
    const made = this.#made
    const { bytes } = lexer.window
    const members = this.#members
    const first = members.count
    made.push(OPEN_OBJECT)
    const begin = made.length
    let p = lexer.skipSpace(from + 1)
    while (bytes[p] !== CLOSE_OBJECT) {
      if (bytes[p] !== QUOTE) lexer.unexpected(p, jsonSyntaxMessages.key())
      const member = members.begin(made.length)
      p = lexer.skipSpace(this.#string(p))
      members.keyEnd[member] = made.length
      if (bytes[p] !== COLON) lexer.unexpected(p, jsonSyntaxMessages.sign({ sign: ':' }))
      made.push(COLON)
      p = lexer.skipSpace(this.write(lexer.skipSpace(p + 1), depth))
      members.to[member] = made.length
      if (members.count - first > MOST_MEMBERS) tooManyMembers(lexer)
      if (bytes[p] === COMMA) {
        made.push(COMMA)
        p = lexer.skipSpace(p + 1)
        if (bytes[p] === CLOSE_OBJECT) lexer.unexpected(p, jsonSyntaxMessages.key())
      } else if (bytes[p] !== CLOSE_OBJECT) {
        lexer.unexpected(p, jsonSyntaxMessages.commaOr({ sign: '}' }))
      }
    }
    const kept = this.#kept?.(made.bytes, members, first) ?? null
    if (kept !== null) this.#writeAgain(kept, begin)
    else if (!this.#inOrder(first)) this.#sort(first, begin)
    members.count = first
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
    if (fault !== null) this.#sink.fault(lexer.inField(TEXT_FAULT_MESSAGES[fault]()))
    made.push(QUOTE)
    escape(scratch.bytes, 0, scratch.length, made)
    made.push(QUOTE)
    return end + 1
  }

  #inOrder(first: number): boolean {
    for (let member = first + 1; member < this.#members.count; member += 1) {
      if (this.#compare(member - 1, member) !== -1) return false
    }
    return true
  }

  /** The order of two keys, or `CANNOT_TELL`. */
  #compare(a: number, b: number): -1 | 0 | 1 | typeof CANNOT_TELL {
    const { bytes } = this.#made
    const { from, keyEnd } = this.#members
    const fromA = from[a]!
    const fromB = from[b]!
    const lengthA = keyEnd[a]! - fromA - 2
    const lengthB = keyEnd[b]! - fromB - 2
    for (let i = 1; i <= lengthA && i <= lengthB; i += 1) {
      const byteA = bytes[fromA + i]!
      const byteB = bytes[fromB + i]!
      // Escapes, and characters outside the basic plane, do not sort like their bytes.
      if (byteA === BACKSLASH || byteB === BACKSLASH) return CANNOT_TELL
      if (byteA >= 0xee || byteB >= 0xee) return CANNOT_TELL
      if (byteA !== byteB) return byteA < byteB ? -1 : 1
    }
    if (lengthA === lengthB) return 0
    return lengthA < lengthB ? -1 : 1
  }

  /** Sorts the members from `first` on, which were written from `begin` on. */
  #sort(first: number, begin: number): void {
    const sorted = this.#sortByBytes(first)
    if (sorted === CANNOT_SORT) this.#writeAgain(this.#sortedByText(first), begin)
    else this.#writeAgain(this.#order, begin, sorted)
  }

  /** Writes those members, in that order, over what was written from `begin` on. */
  #writeAgain(members: ArrayLike<number>, begin: number, count = members.length): void {
    const made = this.#made
    const scratch = this.#scratch
    scratch.length = 0
    for (let at = 0; at < count; at += 1) this.#take(members[at]!)
    made.length = begin
    made.copy(scratch.bytes, 0, scratch.length)
    this.#bytesAgain += scratch.length
    if (this.#bytesAgain > MOST_TIMES_AGAIN * this.#mostBytes) {
      this.#lexer.exceeded('jsonDepth', jsonSyntaxMessages.manyLevels())
    }
  }

  #take(member: number): void {
    const { from, to } = this.#members
    if (this.#scratch.length > 0) this.#scratch.push(COMMA)
    this.#scratch.copy(this.#made.bytes, from[member]!, to[member]!)
  }

  /**
   * Insertion sort into `#order`, without creating strings of the keys. Returns the number of
   * members without duplicates, or `CANNOT_SORT` if this does not work.
   */
  #sortByBytes(first: number): number {
    const end = this.#members.count
    if (end - first > FEW_MEMBERS) return CANNOT_SORT
    const order = this.#order
    let sorted = 0
    for (let member = first; member < end; member += 1) {
      let at = sorted
      let found = -1
      for (; at > 0; at -= 1) {
        found = this.#compare(order[at - 1]!, member)
        if (found === CANNOT_TELL) return CANNOT_SORT
        if (found <= 0) break
      }
      // A later duplicate replaces an earlier one.
      if (at > 0 && found === 0) order[at - 1] = member
      else {
        order.copyWithin(at + 1, at, sorted)
        order[at] = member
        sorted += 1
      }
    }
    return sorted
  }

  #sortedByText(first: number): number[] {
    const { count, from, keyEnd } = this.#members
    const byKey = new Map<string, number>()
    for (let member = first; member < count; member += 1) {
      const key = this.#made.bytes.toString('utf8', from[member], keyEnd[member])
      byKey.set(JSON.parse(key) as string, member)
    }
    return [...byKey.keys()].toSorted().map((key) => byKey.get(key)!)
  }
}

export function tooManyMembers(lexer: Lexer): never {
  lexer.exceeded('jsonMembers', jsonSyntaxMessages.manyMembers({ most: MOST_MEMBERS }))
}
